import type { Case } from "../../oracle/case/case.ts";
import { truthOf } from "../../oracle/truth/case_truth.ts";
import { referenceStandard } from "../../oracle/truth/standard/standard.ts";
import type { Component } from "../../oracle/truth/verdicts/component.ts";
import { type CompositeRows, composites, expandUnless, type NodeId, present } from "../../spec/index.ts";

/** This is true of a case's values and cotangents, at its own ids. */
export interface TruthUnder {
  value(id: NodeId): readonly Component[];
  cotangent(id: NodeId): readonly Component[];
}

/**
 * Returns the truth about a case whose composites expand as `rows` say: the table, or one with a fault
 * planted. Numbers computed in float64 by other formulas are judged as those of a float32 engine: far closer
 * than its bound, where the formulas are right.
 */
export function truthUnder(
  question: Case,
  dtype: "float64" | "float32",
  rows: CompositeRows = composites,
): TruthUnder {
  const { graph, ids } = expandUnless(question.graph, () => false, rows);
  const at = (id: NodeId): NodeId => present(ids[id], "id of the expansion");
  const seeds = question.seeds.map(({ id, cotangent }) => ({ id: at(id), cotangent }));
  const truth = truthOf({ ...question, graph, seeds }, referenceStandard(dtype));
  return { value: (id) => truth.value(at(id)), cotangent: (id) => truth.cotangent(at(id)) };
}

/** Counts those of `answers` that are not within, among the components of one id. */
export function countWrong(components: readonly Component[], answers: ArrayLike<number>): number {
  if (components.length !== answers.length) return Math.max(components.length, answers.length);
  return components.filter((component, i) => component.judge(answers[i] ?? Number.NaN) !== "within").length;
}
