import type { QuestionData } from "../../spec/documents/index.ts";
import { expand } from "../../spec/expansion/index.ts";
import { type PrimitiveGraph, shapesOfPrimitives } from "../../spec/graph/index.ts";
import { primitives } from "../../spec/operators/index.ts";
import { type Issue, present, sizeOf } from "../../spec/shapes/index.ts";
import type { TraceJson } from "../../spec/wire/index.ts";
import {
  type EngineTrace,
  exportableOperators,
  type FlatTrace,
  readTraceJson,
  type TabledTrace,
  tabledOperators,
} from "../index.ts";
import { exactAlgebras, recordTrace, textsOf } from "./random_traces.ts";

/** A case of a suite, and the file it came from. */
export interface SuiteCase extends Pick<QuestionData, "case"> {
  readonly file: string;
}

/** A case of the suite as a trace for Lean, or why there is none. */
export type SuiteTrace =
  | {
      readonly kind: "trace";
      readonly file: string;
      readonly algebra: string;
      readonly recorded: TraceJson;
      readonly trace: FlatTrace | EngineTrace | TabledTrace;
    }
  /** The operators of the case that Lean's kernel cannot follow. */
  | { readonly kind: "operators"; readonly file: string; readonly operators: readonly string[] }
  /** Numbers without value, or what else an export refuses. */
  | { readonly kind: "refused"; readonly file: string; readonly issue: Issue };

/**
 * Returns the trace of a case: over the integers where all its numbers are, else over the rationals, and
 * modulo 2⁶¹ − 1 where fractions would be too long for a kernel to be quick. Elementary functions are a
 * table's.
 */
export function suiteTrace({ file, case: question }: SuiteCase): SuiteTrace {
  const { graph } = expand(question.graph);
  const operators = [...new Set(graph.nodes.map(({ op }) => op))];
  const others = operators.filter((op) => !tabledOperators.includes(op));
  if (others.length > 0) return { kind: "operators", file, operators: others };
  if (elementsOf(graph) > MAXIMUM_ELEMENTS) return { kind: "refused", file, issue: tooLong };
  const texts = textsOf(question);
  const refusals: Issue[] = [];
  const hasFractions = graph.nodes.some(
    (node) => node.op === "full" && !Number.isInteger(node.attributes.value),
  );
  const isField = operators.every((op) => exportableOperators.includes(op));
  // Residues are chosen between by another order than the case is about.
  const hasChoices = operators.some((op) => primitives[op].needs === "ordered");
  const fields = hasChoices ? orderedAlgebras : exactAlgebras;
  for (const algebra of isField ? fields : (["tabled"] as const)) {
    // Over the integers a fraction of an attribute is rounded, which is not what the case is about.
    if (algebra === "integer" && hasFractions) continue;
    const recorded = recordTrace(question.graph, algebra, texts, "dense");
    const trace = recorded.ok ? readTraceJson(recorded.value) : recorded;
    if (!recorded.ok || !trace.ok) refusals.push(...(trace.ok ? [] : trace.error));
    else if (
      algebra === "modular" ||
      (isField && hasChoices) ||
      longestNumber(recorded.value) <= MAXIMUM_DIGITS[algebra]
    )
      return { kind: "trace", file, algebra, recorded: recorded.value, trace: trace.value };
    else refusals.push(tooManyDigits);
  }
  return { kind: "refused", file, issue: present(refusals.at(-1), "why there is no trace") };
}

const orderedAlgebras = exactAlgebras.filter((algebra) => algebra !== "modular");

/** Lean's kernel follows every element by itself: some thousand take minutes, and tell no more than a few. */
const MAXIMUM_ELEMENTS = 2 ** 11;

const tooLong: Issue = {
  code: "lean/elements",
  pointer: "",
  message: `its values have more than ${MAXIMUM_ELEMENTS} elements, too many for Lean's kernel.`,
  hint: "shorter vectors ask the same operators",
};

function elementsOf(graph: PrimitiveGraph): number {
  return shapesOfPrimitives(graph).reduce((total, shape) => total + sizeOf(shape), 0);
}

/** Fractions beyond so many digits are left to residues; those of a table have 24 digits themselves. */
const MAXIMUM_DIGITS = { integer: 60, rational: 60, tabled: 1_000 } as const;

const tooManyDigits: Issue = {
  code: "lean/elements",
  pointer: "",
  message: `its fractions have more than ${MAXIMUM_DIGITS.tabled} digits, too many for Lean's kernel.`,
  hint: "vectors of fewer nodes ask the same operators",
};

function longestNumber({ values, cotangents }: TraceJson): number {
  return [...values, ...cotangents]
    .flatMap(({ data }) => data)
    .reduce((longest, { length }) => Math.max(longest, length), 0);
}

/** Counts the cases without a trace by operator; a case counts for each operator in it. */
export function tallyOperators(traces: readonly SuiteTrace[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const trace of traces) {
    if (trace.kind !== "operators") continue;
    for (const operator of trace.operators) counts.set(operator, (counts.get(operator) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}
