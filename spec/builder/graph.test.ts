import { describe, expect, test } from "vitest";
import { checkGraph } from "../documents/check.ts";
import { shapesOf } from "../expansion/expand.ts";
import type { Graph } from "../graph/graph.ts";
import { GraphError } from "../graph/graph_error.ts";
import { graph } from "./graph.ts";

/** Returns the fault code with which `build` throws. */
function faultOf(build: () => unknown): string {
  try {
    build();
  } catch (problem) {
    if (problem instanceof GraphError) return problem.fault.code;
    throw problem;
  }
  return "none";
}

function opsOf({ nodes }: Graph): string[] {
  return nodes.map(({ op, parents }) => `${op}(${parents.join(",")})`);
}

describe("graph", () => {
  test("appends a node for each call, in order, with methods and functions alike", () => {
    const built = graph(({ input, add }) => {
      const x = input("x", [3]);
      const y = input("y", [3]);
      add(x.multiply(y), x.exp()).sum({ axes: [0], keepdims: false });
    });
    expect(opsOf(built)).toEqual(["multiply(0,1)", "exp(0)", "add(2,3)", "sum(4)"]);
    expect(shapesOf(built).at(-1)).toEqual([]);
  });

  test("gives what checkGraph accepts and leaves as it is", () => {
    const built = graph(({ input, parameter, indices }) => {
      const x = input("x", [2, 3]);
      const w = parameter("w", [3, 4]);
      const rows = indices("rows", [5]);
      x.take({ axis: 0, indices: rows }).matmul(w).sigmoid().add(1);
    });
    expect(checkGraph(built)).toEqual({ ok: true, value: built });
  });

  test("broadcasts elementwise operands by nodes that stand in the graph", () => {
    const built = graph(({ input }) => {
      const x = input("x", [2, 3]);
      const bias = input("bias", [3]);
      x.add(bias).multiply(2);
    });
    expect(opsOf(built)).toEqual(["broadcast_to(1)", "add(0,2)", "full()", "multiply(3,4)"]);
    expect(shapesOf(built)).toEqual([[2, 3], [3], [2, 3], [2, 3], [2, 3], [2, 3]]);
  });

  test("keeps composites as nodes, and knows their shape", () => {
    const built = graph(({ input }) => {
      const x = input("x", [4]);
      expect(x.logaddexp(x).shape).toEqual([4]);
    });
    expect(opsOf(built)).toEqual(["logaddexp(0,0)"]);
  });

  test("unrolls loops", () => {
    const power = graph(({ input }) => {
      const x = input("x");
      let product = x;
      for (let i = 1; i < 5; i++) product = product.multiply(x);
    });
    expect(power.nodes).toHaveLength(4);
  });

  test("says at the call what does not fit", () => {
    const one = graph(({ input }) => input("x"));
    expect(one.inputs).toHaveLength(1);
    expect(faultOf(() => graph(({ input }) => input("x", [2]).add(input("y", [3]))))).toBe("shape/broadcast");
    expect(faultOf(() => graph(({ input }) => input("x", [2]).matmul(input("y", [2]))))).toMatch(/^shape\//);
    expect(faultOf(() => graph(({ input }) => input("x").where(1)))).toBe("graph/arity");
    expect(faultOf(() => graph(({ input }) => input("x").add(Number.NaN)))).toBe("graph/arity");
    expect(faultOf(() => graph(({ input }) => [input("x"), input("x")]))).toBe("graph/name-twice");
    expect(faultOf(() => graph(({ input }) => [input("x").exp(), input("y")]))).toBe("graph/input-order");
    expect(faultOf(() => graph(({ input }) => input("x", [-1])))).toBe("shape/extent");
  });

  test("refuses attributes that are missing, and values of another graph", () => {
    const attributes = JSON.parse('{"axes":[0]}');
    expect(faultOf(() => graph(({ input }) => input("x", [2]).sum(attributes)))).toBe("graph/attributes");
    graph(({ input }) => {
      const foreign = input("x");
      expect(faultOf(() => graph((other) => other.input("y").add(foreign)))).toBe("graph/arity");
    });
  });
});
