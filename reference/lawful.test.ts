import { describe, expect, it, test } from "vitest";
import { expand, nodeId, present, type Graph as WrittenGraph } from "../spec/index.ts";
import { integer } from "./algebras/integer.ts";
import { type GraphData, nil, snocNode } from "./graph.ts";
import { elements, noEnvironment, product, scalar } from "./hand.test.kit.ts";
import { interpret } from "./interpret.ts";
import { lawful } from "./lawful.ts";
import { discharged } from "./operators/discharged.ts";
import { backpropCtx, evaluate } from "./sweep.ts";

const ring = present(integer.levels.ring, "a ring");

/** Γ = (x, y), then x y and (x y) x, of operators of the table. */
const program: WrittenGraph = {
  format: "adjudge.graph.v1",
  inputs: [
    { name: "x", shape: [] },
    { name: "y", shape: [] },
  ],
  environment: [],
  nodes: [
    { op: "multiply", attributes: {}, parents: [nodeId(0), nodeId(1)] },
    { op: "multiply", attributes: {}, parents: [nodeId(2), nodeId(0)] },
  ],
};

describe("lawful", () => {
  it("gives back graph data all of whose nodes are operators', as it is", () => {
    const graph = interpret(expand(program).graph, integer);
    if (!graph.ok) return expect.fail("the integers are a ring");
    const data: GraphData<bigint> = graph.value;
    const again = lawful(data);
    expect(again).toEqual({ ok: true, value: data });
    expect(again.ok && again.value.nodes.map(({ adjointness }) => adjointness.operator)).toEqual([
      "multiply",
      "multiply",
    ]);
  });

  it("takes the graph without nodes, of which there is nothing to ask", () => {
    expect(lawful(nil<bigint>([[2]]))).toEqual({ ok: true, value: { inputs: [[2]], nodes: [] } });
  });

  it("names every node without evidence, and no other", () => {
    const graph = interpret(expand(program).graph, integer);
    if (!graph.ok) return expect.fail("the integers are a ring");
    const mixed = snocNode(snocNode<bigint>(graph.value, product(ring, 3, 3)), product(ring, 4, 0));
    const result = lawful(mixed);
    expect(!result.ok && result.error.map(({ code, pointer }) => [code, pointer])).toEqual([
      ["graph/law", "/nodes/2"],
      ["graph/law", "/nodes/3"],
    ]);
    expect(!result.ok && result.error[0]?.message).toContain("product");
  });

  test("an operator whose obligations are not recorded as proved makes no graph", () => {
    const { multiply: unproved, ...others } = discharged;
    const refused = interpret(expand(program).graph, integer, others);
    expect(!refused.ok && refused.error.map(({ code, pointer }) => [code, pointer])).toEqual([
      ["graph/undischarged", "/nodes/0/op"],
      ["graph/undischarged", "/nodes/1/op"],
    ]);
    expect(interpret(expand(program).graph, integer, unproved && { multiply: unproved }).ok).toBe(true);
  });

  test("what it refuses is graph data all the same, and runs", () => {
    const data = snocNode(nil<bigint>([[]]), product(ring, 0, 0));
    const x = [scalar(3n)];
    expect(elements(evaluate(data, x, noEnvironment))).toEqual([3n, 9n]);
    expect(elements(backpropCtx(ring, data, x, noEnvironment, [scalar(0n), scalar(1n)]))).toEqual([6n]);
  });
});
