import { describe, expect, test } from "vitest";
import {
  graph,
  isPrimitiveGraph,
  nodeId,
  type PrimitiveGraph,
  type PrimitiveNode,
  type Result,
} from "../spec/index.ts";
import { float64 } from "./algebras/float.ts";
import { modular } from "./algebras/modular.ts";
import { compile } from "./compile.ts";
import { applyOnTape } from "./eager.ts";
import { noEnvironment, scalar } from "./hand.test.kit.ts";
import { interpret } from "./interpret.ts";
import { backwardDenseFrom, leaf, type TapeNode } from "./tape.ts";
import type { Tensor } from "./tensor.ts";

/** (x y + sin x) summed, times itself. */
const written: PrimitiveGraph = primitive(({ input }) => {
  const [x, y] = [input("x", [2]), input("y", [2])];
  const total = x
    .multiply(y)
    .add(x.sin())
    .sum({ axes: [0], keepdims: false });
  return total.multiply(total);
});

function primitive(build: Parameters<typeof graph>[0]): PrimitiveGraph {
  const built = graph(build);
  return isPrimitiveGraph(built) ? built : expect.unreachable("only primitives are used");
}

const pair = (x: number, y: number): Tensor<number> => ({ shape: [2], data: [x, y] });
const values = [pair(0.5, -2), pair(3, 0.25)];

/** Returns the tape of a graph, operation by operation. */
function eagerly(leaves: readonly boolean[]): TapeNode<number>[] {
  const tape: TapeNode<number>[] = [];
  for (const [place, value] of values.entries()) leaf(tape, value, leaves[place]);
  for (const node of written.nodes) succeeded(applyOnTape(float64, tape, node));
  return tape;
}

function succeeded<T, E>(result: Result<T, E>): T {
  return result.ok ? result.value : expect.unreachable(JSON.stringify(result.error));
}

const failure = <T>(result: Result<T, readonly { readonly code: string }[]>): unknown =>
  result.ok ? result.value : result.error.map(({ code }) => code);

describe("a tape that operations write", () => {
  test.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])("is the one that the whole graph is compiled to, leaves requiring a gradient: %s, %s", (...leaves) => {
    const meaning = succeeded(interpret(written, float64));
    const { tape } = succeeded(compile(float64.additive, meaning, values, noEnvironment, "sparse", leaves));
    const own = eagerly(leaves);
    const facts = (nodes: readonly TapeNode<number>[]): unknown =>
      nodes.map(({ name, value, requiresGrad, parents }) => [name, value, requiresGrad, parents]);
    expect(facts(own)).toEqual(facts(tape));
    const seed = tape.map(({ value }, id) => ({ ...value, data: value.data.map((_, i) => id - i / 2) }));
    const swept = backwardDenseFrom(float64.additive, own, seed);
    expect(swept).toEqual(backwardDenseFrom(float64.additive, tape, seed));
    expect(swept.ok).toBe(true);
  });

  test("refuses parents that are not there, operands that do not fit, and what the algebra has not", () => {
    const tape: TapeNode<number>[] = [];
    leaf(tape, pair(1, 2));
    leaf(tape, { shape: [3], data: [1, 2, 3] });
    const apply = (op: "add" | "sin", ...parents: number[]): unknown => {
      const node: PrimitiveNode = { op, attributes: {}, parents: parents.map(nodeId) };
      return failure(applyOnTape(float64, tape, node));
    };
    expect([apply("add", 0, 7), apply("add", 0, 1), apply("add", 0)]).toEqual([
      ["tape/id"],
      ["shape/mismatch"],
      ["graph/arity"],
    ]);
    expect(tape).toHaveLength(2);
    const residues: TapeNode<bigint>[] = [];
    leaf(residues, scalar(2n));
    expect(
      failure(applyOnTape(modular, residues, { op: "sin", attributes: {}, parents: [nodeId(0)] })),
    ).toEqual(["algebra/missing"]);
  });

  test("has one operand for an id that is named twice", () => {
    const tape: TapeNode<number>[] = [];
    const x = leaf(tape, scalar(3));
    const square = succeeded(
      applyOnTape(float64, tape, { op: "multiply", attributes: {}, parents: [nodeId(x), nodeId(x)] }),
    );
    const bars = tape[square]?.backward(scalar(1));
    expect(bars).toEqual({ ok: true, value: [{ parent: x, cotangent: scalar(6) }] });
  });
});
