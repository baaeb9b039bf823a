import { describe, expect, it } from "vitest";
import { checkGraph } from "../check.ts";
import { type Graph, shapesOf } from "../graph.ts";
import type { Result } from "../result.ts";
import { graph, type Json, node } from "../specimens.test.data.ts";
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

  it("checks an index entry of 10⁵ elements that 10⁴ nodes read in one pass", { timeout: 10_000 }, () => {
    const json = graph(
      [["x", [10]]],
      [["i", [100_000], "index"]],
      Array.from({ length: 10_000 }, () => node("take", [0], { axis: 0, indices: "i" })),
    );
    const indices = (last: number): { shape: number[]; data: number[] } => ({
      shape: [100_000],
      data: new Array(100_000).fill(9).with(-1, last),
    });
    const x = { shape: [10], data: new Array(10).fill("1") };
    const good = decodePoint(checked(json), { inputs: [x], environment: { i: indices(0) } }, "");
    const bad = decodePoint(checked(json), { inputs: [x], environment: { i: indices(10) } }, "");
    expect(countOf(good)).toBe(0);
    expect(bad.ok ? "" : bad.error[0]?.message).toBe(
      'element 99999 of "i" is not a non-negative integer below 10.',
    );
  });
});
