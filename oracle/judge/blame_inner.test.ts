import { describe, expect, test } from "vitest";
import { mutants } from "../../engines/index.ts";
import { type Graph, type Node, nodeId } from "../../spec/index.ts";
import type { Case } from "../case/case.ts";
import type { Witness } from "../hearing/verdict.ts";
import { faultOf } from "./fault.ts";
import { judge } from "./judge.ts";

const scalar = (x: number) => ({ shape: [], data: Float64Array.of(x) });

function graphOf(inputs: number, nodes: readonly Node[]): Graph {
  return {
    format: "adjudge.graph.v1",
    inputs: Array.from({ length: inputs }, (_, place) => ({ name: `x${place}`, shape: [] })),
    environment: [],
    nodes,
  };
}

function derivative(mode: "vjp" | "jvp", graph: Graph, parents: readonly number[]): Node {
  const of = nodeId(graph.inputs.length + graph.nodes.length - 1);
  return {
    op: "differentiate",
    attributes: { graph, mode, of, wrt: nodeId(0) },
    parents: parents.map((id) => nodeId(id)),
  };
}

/** This is tanh, then a product with the input itself. */
const inner = graphOf(1, [
  { op: "tanh", attributes: {}, parents: [nodeId(0)] },
  { op: "multiply", attributes: {}, parents: [nodeId(1), nodeId(0)] },
]);

function questionOf(graph: Graph): Case {
  const inputs = graph.inputs.map((_, place) => scalar(place + 1.5));
  return {
    graph,
    point: { inputs, environment: new Map() },
    tangents: inputs.map((_, place) => scalar(place + 2)),
    seeds: [{ id: nodeId(graph.inputs.length), cotangent: scalar(3) }],
  };
}

async function witnessOf(name: string, graph: Graph): Promise<Witness> {
  const mutant = mutants.find((candidate) => candidate.name === name);
  if (mutant === undefined) throw new Error(name);
  const verdict = await judge(mutant.engine(), questionOf(graph), { dtype: "float64", shrinkBudget: 0 });
  if (verdict.kind !== "disagrees") throw new Error(verdict.kind);
  return verdict.witness;
}

async function sentenceOf(name: string, graph: Graph): Promise<string> {
  return (await witnessOf(name, graph)).blame.sentence;
}

describe("the blame of a derivative of an inner graph", () => {
  const one = graphOf(2, [derivative("vjp", inner, [0, 1])]);
  const two = graphOf(3, [derivative("jvp", graphOf(2, [derivative("vjp", inner, [0, 1])]), [0, 1, 2])]);

  test("names the level and the node that is wrong alone", async () => {
    expect(await sentenceOf("saved_value_constant", one)).toMatch(
      /node 2 \(differentiate\).*; in the inner graph of node 2, node 1 \(tanh\) is wrong alone\./,
    );
    expect(await sentenceOf("symmetric_part_dropped", one)).toMatch(
      /; in the inner graph of node 2, node 2 \(multiply\) is wrong alone\./,
    );
  });

  test("goes down through the levels", async () => {
    expect(await sentenceOf("saved_value_constant", two)).toMatch(
      /; in the inner graph of node 3, in the inner graph of node 2, node 1 \(tanh\) is wrong alone\./,
    );
  });

  test("groups with others of the same operators and mode", async () => {
    const fault = faultOf(await witnessOf("saved_value_constant", one));
    expect(fault.attributes).toBe("graph=[multiply,tanh], mode=vjp, of=>1, wrt=0");
  });

  test("says so where every inner node is right alone", async () => {
    expect(await sentenceOf("readers_overwritten", one)).toMatch(
      /; in the inner graph of node 2, every node is right alone: the levels are put together wrongly\./,
    );
  });
});
