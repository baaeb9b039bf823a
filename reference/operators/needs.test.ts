import { describe, expect, test } from "vitest";
import {
  type BinaryName,
  expand,
  forBinary,
  forUnary,
  type Need,
  type NodeOf,
  nodeId,
  type PrimitiveName,
  primitiveNames,
  primitives,
  type UnaryName,
  type Graph as WrittenGraph,
} from "../../spec/index.ts";
import { boolean } from "../algebras/boolean.ts";
import { dual } from "../algebras/dual.ts";
import { float32, float64 } from "../algebras/float.ts";
import { formal } from "../algebras/formal.ts";
import { integer } from "../algebras/integer.ts";
import { modular } from "../algebras/modular.ts";
import { rational } from "../algebras/rational.ts";
import { interpret } from "../interpret.ts";

function node<K extends PrimitiveName>(
  op: K,
  attributes: NodeOf<K>["attributes"],
  ...parents: number[]
): NodeOf<K> {
  return { op, attributes, parents: parents.map(nodeId) };
}

/** Functions of as many operands are asked alike. */
type Alike<K extends PrimitiveName> = K extends UnaryName ? UnaryName : K extends BinaryName ? BinaryName : K;

/** Each operator on scalars 0, 1 and 2, or on the matrix 3 where it needs axes. */
const alone: { readonly [K in PrimitiveName]: NodeOf<Alike<K>> } = {
  constant: node("constant", { name: "k" }),
  full: node("full", { shape: [], value: 2 }),
  iota: node("iota", { shape: [2], axis: 0 }),
  bernoulli_mask: node("bernoulli_mask", { shape: [2], key: "i", rate: 0.5 }),
  stop_gradient: node("stop_gradient", {}, 0),
  negative: node("negative", {}, 0),
  ...forUnary((op) => node(op, {}, 0)),
  ...forBinary((op) => node(op, {}, 0, 1)),
  relu: node("relu", {}, 0),
  floor: node("floor", {}, 0),
  add: node("add", {}, 0, 1),
  subtract: node("subtract", {}, 0, 1),
  multiply: node("multiply", {}, 0, 1),
  divide: node("divide", {}, 0, 1),
  maximum: node("maximum", {}, 0, 1),
  less: node("less", {}, 0, 1),
  equal: node("equal", {}, 0, 1),
  where: node("where", {}, 0, 1, 2),
  sum: node("sum", { axes: [], keepdims: false }, 0),
  broadcast_to: node("broadcast_to", { shape: [2] }, 0),
  reshape: node("reshape", { shape: [1] }, 0),
  permute_dims: node("permute_dims", { axes: [] }, 0),
  concat: node("concat", { axis: 0 }, 3),
  take: node("take", { axis: 0, indices: "i" }, 3),
  slice: node("slice", { starts: [0, 0], stops: [1, 1], steps: [1, -1] }, 3),
  pad: node("pad", { low: [1, 0], high: [0, 1], interior: [0, 0] }, 3),
  take_along_axis: node("take_along_axis", { axis: 0, indices: "j" }, 3),
  gather: node("gather", { indices: "i" }, 3),
  scatter_add: node("scatter_add", { indices: "i" }, 3, 0),
  cumulative_sum: node("cumulative_sum", { axis: 0 }, 3),
  matmul: node("matmul", {}, 3, 3),
  solve: node("solve", {}, 3, 3),
  det: node("det", {}, 3),
};

const programOf = (op: PrimitiveName): WrittenGraph => ({
  format: "adjudge.graph.v1",
  inputs: [[], [], [], [1, 1]].map((shape, id) => ({ name: `x${id}`, shape })),
  environment: [
    { name: "k", kind: "real", shape: [] },
    { name: "i", kind: "index", shape: [2] },
    { name: "j", kind: "index", shape: [2, 1] },
  ],
  nodes: [alone[op]],
});

const ring: readonly Need[] = ["additive", "semiring", "ring", "ordered"];
const field: readonly Need[] = [...ring, "field"];
const every: readonly Need[] = [...field, "real", "orderedReal"];

describe("an operator means something over every algebra that offers what it needs, and over no other", () => {
  test.each(primitiveNames)("%s", (op) => {
    const program = programOf(op);
    const results = [
      [ring, interpret(expand(program).graph, integer)],
      [ring, interpret(expand(program).graph, dual(integer))],
      [field, interpret(expand(program).graph, rational)],
      [field, interpret(expand(program).graph, modular)],
      [every, interpret(expand(program).graph, formal)],
      [every, interpret(expand(program).graph, float64)],
      [every, interpret(expand(program).graph, float32)],
      [every, interpret(expand(program).graph, boolean)],
      [every, interpret(expand(program).graph, dual(dual(float64)))],
    ] as const;
    const { needs } = primitives[op];
    expect(results.map(([, result]) => result.ok)).toEqual(
      results.map(([offered]) => offered.includes(needs)),
    );
  });
});
