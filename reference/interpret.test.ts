import { describe, expect, it, test } from "vitest";
import {
  type Algebra,
  type AttributesOf,
  binaryNames,
  checkGraph,
  expand,
  type NodeOf,
  nodeId,
  type PrimitiveName,
  primitiveNames,
  primitives,
  unaryNames,
  type Graph as WrittenGraph,
} from "../spec/index.ts";
import { boolean } from "./algebras/boolean.ts";
import { dual } from "./algebras/dual.ts";
import { float64 } from "./algebras/float.ts";
import { formal } from "./algebras/formal.ts";
import { integer } from "./algebras/integer.ts";
import { modular } from "./algebras/modular.ts";
import { rational } from "./algebras/rational.ts";
import type { Environment } from "./environment.ts";
import { elements, noEnvironment, scalar } from "./hand.test.kit.ts";
import { interpret } from "./interpret.ts";
import type { Graph } from "./lawful.ts";
import { backpropAllCtx, evaluate, jvpCtx } from "./sweep.ts";

function node<K extends PrimitiveName>(op: K, attributes: AttributesOf[K], ...parents: number[]): NodeOf<K> {
  return { op, attributes, parents: parents.map(nodeId) };
}

/** A program on scalars, with a scalar `w` in its environment. */
const programOf = (inputs: number, ...nodes: WrittenGraph["nodes"]): WrittenGraph => ({
  format: "adjudge.graph.v1",
  inputs: Array.from({ length: inputs }, (_, id) => ({ name: `x${id}`, shape: [] })),
  environment: [{ name: "w", kind: "real", shape: [] }],
  nodes,
});

function meaning<S, B>(program: WrittenGraph, algebra: Algebra<S, B>): Graph<S> {
  const graph = interpret(expand(program).graph, algebra);
  if (!graph.ok) throw new Error(JSON.stringify(graph.error));
  return graph.value;
}

const environment: Environment<bigint> = new Map([["w", { kind: "real", tensor: scalar(7n) }] as const]);

describe("a program over an algebra that lacks what it needs", () => {
  const elementary: readonly PrimitiveName[] = primitiveNames.filter((op) =>
    [...unaryNames, ...binaryNames].some((name) => name === op),
  );

  /** Returns the elementwise operators refused where each stands alone in a program of scalars. */
  function refused<S, B>(algebra: Algebra<S, B>): readonly PrimitiveName[] {
    return primitiveNames.filter((op) => {
      const { arity } = primitives[op];
      const parents = [0, 1, 2].slice(0, typeof arity === "number" ? arity : 1);
      const program = checkGraph({ ...programOf(3), nodes: [{ op, attributes: {}, parents }] });
      return program.ok && !interpret(expand(program.value).graph, algebra).ok;
    });
  }

  it("lacks division and elementary functions over integers, and elementary functions over fields", () => {
    expect(refused(integer).toSorted()).toEqual([...elementary, "divide"].toSorted());
    expect(refused(rational)).toEqual(elementary);
    expect(refused(modular)).toEqual(elementary);
    expect(refused(dual(rational))).toEqual(elementary);
  });

  it("lacks nothing over floats, formal numbers and sparsity patterns", () => {
    expect([refused(float64), refused(formal), refused(boolean)]).toEqual([[], [], []]);
  });

  it("is refused with an issue for each node concerned, and no other", () => {
    const nodes = [
      node("exp", {}, 0),
      node("negative", {}, 1),
      node("divide", {}, 0, 2),
      node("relu", {}, 3),
    ];
    const graph = interpret(expand(programOf(1, ...nodes)).graph, integer);
    expect(graph.ok || graph.error.map(({ code, pointer }) => [code, pointer])).toEqual([
      ["algebra/missing", "/nodes/0/op"],
      ["algebra/missing", "/nodes/2/op"],
    ]);
    expect(graph.ok || graph.error[0]?.message).toContain("integer");
  });
});

describe("the meaning of a node", () => {
  it("bears the operator's name, the shape of its value, the ids it reads and what it owes its law to", () => {
    const program: WrittenGraph = {
      ...programOf(
        1,
        node("broadcast_to", { shape: [2, 1] }, 0),
        node("sum", { axes: [1], keepdims: false }, 1),
      ),
    };
    expect(meaning(program, integer).nodes).toMatchObject([
      { name: "broadcast_to", shape: [2, 1], reads: [0], adjointness: { operator: "broadcast_to" } },
      { name: "sum", shape: [2], reads: [1], adjointness: { operator: "sum" } },
    ]);
  });

  it("that reads one id at two places hands it one sum, and adds that to the seed", () => {
    const graph = meaning(programOf(1, node("subtract", {}, 0, 0), node("multiply", {}, 0, 0)), integer);
    const bars = graph.nodes.map((n) => [...n.vjp([scalar(5n), scalar(0n)], noEnvironment, scalar(3n))]);
    expect(bars).toEqual([[[0, scalar(0n)]], [[0, scalar(30n)]]]);
    // (2⁵³ + 1) + 1 would be 2⁵³ over floats; 2⁵³ + (1 + 1) is not.
    const sum = meaning(programOf(1, node("add", {}, 0, 0)), float64);
    const seed = [scalar(2 ** 53), scalar(1)];
    const cotangents = backpropAllCtx(float64.additive, sum, [scalar(0)], noEnvironment, seed);
    expect(elements(cotangents)).toEqual([2 ** 53 + 2, 1]);
  });

  it("whose operand is not differentiated lists no cotangent for it", () => {
    const graph = meaning(programOf(3, node("where", {}, 0, 1, 2), node("stop_gradient", {}, 1)), integer);
    const context = [1n, 2n, 3n, 2n].map(scalar);
    const ids = graph.nodes.map((n) => [...n.vjp(context, noEnvironment, scalar(5n)).keys()]);
    expect(ids).toEqual([[1, 2], []]);
  });

  it("takes the environment for constants: no tangent comes of it, and no cotangent goes to it", () => {
    const graph = meaning(programOf(1, node("constant", { name: "w" }), node("multiply", {}, 0, 1)), integer);
    const x = [scalar(2n)];
    expect(elements(evaluate(graph, x, environment))).toEqual([2n, 7n, 14n]);
    expect(elements(jvpCtx(graph, x, [scalar(1n)], environment))).toEqual([1n, 0n, 7n]);
    const seed = [0n, 0n, 1n].map(scalar);
    expect(elements(backpropAllCtx(integer.additive, graph, x, environment, seed))).toEqual([7n, 2n, 1n]);
  });

  it("is a precondition too, where the operator has one", () => {
    const program: WrittenGraph = {
      format: "adjudge.graph.v1",
      inputs: [{ name: "x", shape: [2] }],
      environment: [{ name: "i", kind: "index", shape: [1] }],
      nodes: [node("take", { axis: 0, indices: "i" }, 0), node("negative", {}, 1)],
    };
    const [take, negative] = meaning(program, integer).nodes;
    const x = [{ shape: [2], data: [1n, 2n] }];
    const at = (index: number): Environment<bigint> =>
      new Map([["i", { kind: "index", shape: [1], indices: [index] }] as const]);
    expect(take?.validate?.(x, at(1))).toBeUndefined();
    expect(take?.validate?.(x, at(2))?.code).toBe("take/index");
    expect(negative?.validate?.([...x, { shape: [1], data: [2n] }], at(2))).toBeUndefined();
  });
});

test("stop_gradient is x with tangent 0, and its law holds of it", () => {
  const graph = meaning(programOf(1, node("stop_gradient", {}, 0), node("multiply", {}, 0, 1)), integer);
  const x = [scalar(5n)];
  expect(elements(evaluate(graph, x, noEnvironment))).toEqual([5n, 5n, 25n]);
  expect(elements(jvpCtx(graph, x, [scalar(1n)], noEnvironment))).toEqual([1n, 0n, 5n]);
  const seed = [0n, 0n, 1n].map(scalar);
  expect(elements(backpropAllCtx(integer.additive, graph, x, noEnvironment, seed))).toEqual([5n, 5n, 1n]);
});
