import { describe, expect, test } from "vitest";
import type { Case } from "../../oracle/case/case.ts";
import { valuesOf } from "../../oracle/case/valuation.ts";
import { caseAt } from "../../oracle/generate/index.ts";
import { isNetworkName, type NetworkName, networkNames } from "../../oracle/generate/network_composites.ts";
import {
  type CompositeRows,
  composites,
  type FlatTensor,
  type Graph,
  isSameShape,
  type NodeOf,
  nodeId,
  present,
} from "../../spec/index.ts";
import { countWrong, truthUnder } from "./expansions.test.kit.ts";
import { maskOf } from "./mask.test.kit.ts";
import { naives } from "./naive_networks.test.kit.ts";
import { networkProfile } from "./network_profile.test.kit.ts";
import { wrongRows } from "./wrong_networks.test.kit.ts";

const SEED = 11;

function naiveOf<K extends NetworkName>(
  { op, attributes, parents }: NodeOf<K>,
  values: readonly FlatTensor[],
  environment: ReadonlyMap<string, FlatTensor>,
): FlatTensor {
  const operands = parents.map((id) => present(values[id], "operand"));
  return naives[op](attributes, operands, (name) => present(environment.get(name), name));
}

/** Returns the mask as one entry more, where a dropout reads one. */
function entriesOf(node: Case["graph"]["nodes"][number], values: readonly FlatTensor[], question: Case) {
  const { environment } = question.point;
  if (node.op !== "dropout") return environment;
  const { key, rate } = node.attributes;
  const { shape } = present(values[present(node.parents[0], "operand")], "operand");
  return new Map([...environment, ["mask", maskOf(present(environment.get(key), key), rate, shape)]]);
}

/** Says whether the value at an id is a given number, which has no bound around it. */
function isGiven(program: Graph, id: number): boolean {
  const node = program.nodes[id - program.inputs.length];
  if (node === undefined || node.op === "constant") return true;
  return node.op === "reshape" && node.parents.every((parent) => isGiven(program, parent));
}

/** Counts how often a case applies `op` to given numbers, and how often the result is not the textbook's. */
function tally(question: Case, op: NetworkName, rows: CompositeRows): { applied: number; wrong: number } {
  const { inputs, nodes } = question.graph;
  const values = valuesOf(question);
  const truth = truthUnder({ ...question, seeds: [] }, "float32", rows);
  const counts = { applied: 0, wrong: 0 };
  for (const [place, node] of nodes.entries()) {
    if (node.op !== op || !isNetworkName(node.op) || !node.parents.every((id) => isGiven(question.graph, id)))
      continue;
    const id = nodeId(inputs.length + place);
    const { shape, data } = naiveOf(node, values, entriesOf(node, values, question));
    const isFitting = isSameShape(shape, present(values[id], "value").shape);
    counts.applied += 1;
    if (!isFitting || countWrong(truth.value(id), data) > 0) counts.wrong += 1;
  }
  return counts;
}

/** Returns the tally of the first cases in which there are enough applications. */
function total(op: NetworkName, rows: CompositeRows): { applied: number; wrong: number } {
  const sum = { applied: 0, wrong: 0 };
  for (let index = 0; index < 400 && sum.applied < 40; index++) {
    const { applied, wrong } = tally(caseAt(networkProfile(op), SEED, index), op, rows);
    sum.applied += applied;
    sum.wrong += wrong;
  }
  return sum;
}

describe.each(networkNames)("%s", (op) => {
  test("is what the textbook's loops compute", () => {
    const { applied, wrong } = total(op, composites);
    expect(wrong).toBe(0);
    expect(applied).toBeGreaterThanOrEqual(40);
  });

  test("is not, with a fault planted in its expansion", () => {
    expect(total(op, { ...composites, [op]: wrongRows[op] }).wrong).toBeGreaterThan(0);
  });
});
