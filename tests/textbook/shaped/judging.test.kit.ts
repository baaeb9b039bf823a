import type { Case } from "../../../oracle/case/case.ts";
import { expandCase } from "../../../oracle/case/expansion.ts";
import { referenceStandard } from "../../../oracle/truth/standard/standard.ts";
import { primitiveTruthOf, type Truth } from "../../../oracle/truth/truth.ts";
import type { Component } from "../../../oracle/truth/verdicts/component.ts";
import {
  type CompositeName,
  type CompositeRows,
  checkGraph,
  type EnvironmentEntry,
  type FlatTensor,
  formatIssue,
  isSameShape,
  nodeId,
  present,
  type Shape,
} from "../../../spec/index.ts";
import type { Numbers } from "./arrays.test.kit.ts";
import type { Telling } from "./tellings.test.data.ts";

/** Returns the truth about a case where composites mean what `rows` say, at the ids of the case. */
export function truthUnder(rows: CompositeRows, question: Case): Truth {
  const { question: expanded, ids } = expandCase(question, rows);
  const at = (id: number): ReturnType<typeof nodeId> => present(ids[id], "id of the expansion");
  const truth = primitiveTruthOf(expanded, referenceStandard("float64"));
  return {
    ...truth,
    shapes: ids.map((id) => present(truth.shapes[id], "shape of an id")),
    value: (id) => truth.value(at(id)),
    cotangent: (id) => truth.cotangent(at(id)),
  };
}

/** Lists how the truth judges numbers: `shape` if they have another one, else the elements' verdicts. */
export function judged(components: readonly Component[], shape: Shape, answer: Numbers): Set<string> {
  if (!isSameShape(shape, answer.shape)) return new Set(["shape"]);
  return new Set(answer.data.map((x, i) => present(components[i], "component").judge(x)));
}

const flat = ({ shape, data }: Numbers): FlatTensor => ({ shape, data: Float64Array.from(data) });

/** Returns one node at a point, with a cotangent on it. */
function caseOf<K extends CompositeName>(op: K, telling: Telling<unknown>): Case {
  const { attributes, operands, labels = [], value, cotangent } = telling;
  const declared: EnvironmentEntry[] = [{ name: "labels", kind: "index", shape: [labels.length] }];
  const graph = checkGraph({
    format: "adjudge.graph.v1",
    inputs: operands.map(({ shape }, place) => ({ name: `x${place}`, shape })),
    environment: declared,
    nodes: [{ op, attributes, parents: operands.map((_, place) => place) }],
  });
  if (!graph.ok) throw new Error(graph.error.map(formatIssue).join("; "));
  return {
    graph: graph.value,
    point: {
      inputs: operands.map(flat),
      environment: new Map([["labels", flat({ shape: [labels.length], data: labels })]]),
    },
    tangents: operands.map(flat),
    seeds: [{ id: nodeId(operands.length), cotangent: flat({ shape: value.shape, data: cotangent }) }],
  };
}

/**
 * Lists what the truth says of a telling's value and of what it pulls back; `within` alone where all is
 * right.
 */
export function judgedTelling(
  rows: CompositeRows,
  op: CompositeName,
  telling: Telling<unknown>,
): { readonly value: Set<string>; readonly bars: Set<string> } {
  const truth = truthUnder(rows, caseOf(op, telling));
  const id = nodeId(telling.operands.length);
  const bars = telling.operands.flatMap(({ shape }, place) => [
    ...judged(truth.cotangent(nodeId(place)), shape, { shape, data: telling.bars[place] ?? [] }),
  ]);
  return { value: judged(truth.value(id), truth.shapes[id] ?? [], telling.value), bars: new Set(bars) };
}
