import { describe, expect, it } from "vitest";
import { shapesOf } from "../expansion/expand.ts";
import type { Graph } from "../graph/graph.ts";
import type { Result } from "../shapes/result.ts";
import { graph, type Json, node } from "../specimens.test.data.ts";
import type { TensorJson } from "../wire/tensor.ts";
import { checkGraph } from "./check.ts";
import { decodePoint, decodeSeeds, decodeTangents } from "./point.ts";

function checked(json: Json): Graph {
  const result = checkGraph(json);
  if (!result.ok) throw new Error("the test's graph is not well-formed");
  return result.value;
}

function countOf<T>(result: Result<T, readonly unknown[]>): number {
  return result.ok ? 0 : result.error.length;
}

const scalar = { shape: [], data: ["1"] };
const wrong = { shape: [1], data: ["1"] };

describe("decoding hostile points", () => {
  it("stops after 100 issues in each part", () => {
    const wide = checked(
      graph(
        Array.from({ length: 500 }, (_, i) => [`x${i}`, []]),
        Array.from({ length: 500 }, (_, i) => [`c${i}`, [], "real"]),
        [],
      ),
    );
    const inputs = new Array(500).fill(wrong);
    const environment = Object.fromEntries(wide.environment.map(({ name }) => [name, wrong]));
    expect(countOf(decodeTangents(wide, inputs, ""))).toBe(100);
    expect(countOf(decodePoint(wide, { inputs, environment }, ""))).toBe(100);
    expect(countOf(decodePoint(wide, { inputs, environment: {} }, ""))).toBe(100);
    const seeds = Array.from({ length: 500 }, () => ({ id: 3, cotangent: scalar }));
    expect(countOf(decodeSeeds(shapesOf(wide), seeds, ""))).toBe(100);
  });

  it("does not take what every object inherits for an environment entry", () => {
    const named = checked(graph([], [["toString", [], "real"]], []));
    expect(decodePoint(named, { inputs: [], environment: {} }, "/point")).toMatchObject({
      ok: false,
      error: [{ code: "point/environment", pointer: "/point/environment" }],
    });
  });

  it("asks of an index entry what the shortest axis allows that any node takes it along", () => {
    const json = graph(
      [
        ["x", [10]],
        ["y", [4, 6]],
      ],
      [["i", [3], "index"]],
      [
        node("take", [0], { axis: 0, indices: "i" }),
        node("take", [1], { axis: 1, indices: "i" }),
        node("take", [0], { axis: 0, indices: "i" }),
      ],
    );
    const zeros = (shape: number[], size: number): TensorJson => ({ shape, data: new Array(size).fill(0) });
    const decode = (data: number[]): string => {
      const inputs = [zeros([10], 10), zeros([4, 6], 24)];
      const point = decodePoint(checked(json), { inputs, environment: { i: { shape: [3], data } } }, "");
      return point.ok ? "ok" : point.error.map(({ message }) => message).join();
    };
    expect(decode([0, 5, 5])).toBe("ok");
    expect(decode([0, 5, 6])).toBe('element 2 of "i" is not a non-negative integer below 6.');
  });

  it("asks of each column of rows of indices what its axis allows, and of all what other nodes do", () => {
    const nodes = [
      node("gather", [0], { indices: "i" }),
      node("take_along_axis", [1], { axis: 1, indices: "i" }),
    ];
    const inputs: [string, number[]][] = [
      ["x", [9, 2]],
      ["y", [2, 4]],
    ];
    const zeros = (shape: number[], size: number): TensorJson => ({ shape, data: new Array(size).fill(0) });
    const decode = (count: number, data: number[]): string => {
      const program = checked(graph(inputs, [["i", [2, 2], "index"]], nodes.slice(0, count)));
      const tensors = [zeros([9, 2], 18), zeros([2, 4], 8)];
      const point = decodePoint(
        program,
        { inputs: tensors, environment: { i: { shape: [2, 2], data } } },
        "",
      );
      return point.ok ? "ok" : point.error.map(({ message }) => message).join();
    };
    expect(decode(1, [8, 1, 0, 0])).toBe("ok");
    expect(decode(1, [0, 0, 1, 8])).toBe('element 3 of "i" is not a non-negative integer below 2.');
    expect(decode(2, [3, 1, 3, 1])).toBe("ok");
    expect(decode(2, [3, 1, 8, 1])).toBe('element 2 of "i" is not a non-negative integer below 4.');
  });

  it("asks of a key that its words have 32 bits", () => {
    const nodes = [node("bernoulli_mask", [], { shape: [2], key: "k", rate: 0.5 })];
    const program = checked(graph([], [["k", [2], "index"]], nodes));
    const decode = (...data: number[]): string => {
      const point = decodePoint(program, { inputs: [], environment: { k: { shape: [2], data } } }, "");
      return point.ok ? "ok" : point.error.map(({ message }) => message).join();
    };
    expect(decode(0, 2 ** 32 - 1)).toBe("ok");
    expect(decode(0, 2 ** 32)).toBe('element 1 of "k" is not a non-negative integer below 4294967296.');
  });
});
