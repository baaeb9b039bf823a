import { describe, expect, test } from "vitest";
import { graph } from "../builder/graph.ts";
import { checkGraph } from "../documents/check.ts";
import type { Graph } from "../graph/graph.ts";
import { type Budget, defaultBudget, effortOf, overBudget, tooManyDigits } from "./budget.ts";

const generous: Budget = { elements: 1e9, work: 1e12 };

/** Adds up `count` copies of x. */
function repeated(count: number): Graph {
  return graph(({ input }) => {
    input("x", [])
      .broadcast_to({ shape: [count] })
      .sum({ axes: [0], keepdims: false });
  });
}

describe("the effort of a graph", () => {
  test("counts the elements of all values, and what reads and makes them", () => {
    expect(effortOf(repeated(10))).toEqual({ elements: 12, work: 22 });
  });

  test("counts the products of matrices, and the minors of determinants", () => {
    const product = graph(({ input }) => {
      input("x", [4, 5]).matmul(input("y", [5, 6]));
    });
    expect(effortOf(product)).toEqual({ elements: 20 + 30 + 24, work: 4 * 5 * 6 });
    const determinants = graph(({ input }) => {
      input("x", [10, 8, 8]).det();
    });
    expect(effortOf(determinants).work).toBeGreaterThan(10 * 2 ** 8 * 8);
  });

  test("is that of the expansion, where a composite stands for more than its value", () => {
    const sorted = graph(({ input }) => {
      input("x", [50]).sort({ axis: 0, descending: false });
    });
    expect(effortOf(sorted).elements).toBeGreaterThan(50 * 50);
  });
});

describe("the budget", () => {
  test("refuses one element and one operation too many, and says how to raise it", () => {
    expect(overBudget(repeated(10), { ...generous, elements: 12 })).toBeUndefined();
    expect(overBudget(repeated(10), { ...generous, elements: 11 })).toMatchObject({
      code: "budget/elements",
      hint: expect.stringContaining("--max-elements"),
    });
    expect(overBudget(repeated(10), { ...generous, work: 22 })).toBeUndefined();
    expect(overBudget(repeated(10), { ...generous, work: 21 })).toMatchObject({ code: "budget/work" });
  });

  test("counts the parts of numbers that have parts", () => {
    expect(overBudget(repeated(10), { ...generous, elements: 12 }, 2)).toMatchObject({
      code: "budget/elements",
    });
  });

  test("refuses the largest tensor there may be, from its shape alone", () => {
    expect(overBudget(repeated(2 ** 27), defaultBudget)).toMatchObject({ code: "budget/elements" });
  });
});

describe("digits", () => {
  /** x squared so many times. */
  const powers = (squarings: number): Graph =>
    graph(({ input }) => {
      let x = input("x", []);
      for (let i = 0; i < squarings; i++) x = x.multiply(x);
    });

  test("are too many where products of products are taken often, not where sums are", () => {
    expect(tooManyDigits(powers(16))).toBeUndefined();
    expect(tooManyDigits(powers(17))).toMatchObject({ code: "budget/digits" });
    expect(tooManyDigits(powers(1), 2 ** 19)).toBeUndefined();
    expect(tooManyDigits(powers(1), 2 ** 19 + 1)).toMatchObject({ code: "budget/digits" });
    const sums = graph(({ input }) => {
      let x = input("x", []);
      for (let i = 0; i < 1000; i++) x = x.add(x);
    });
    expect(tooManyDigits(sums)).toBeUndefined();
  });
});

describe("a graph that stands for too many primitives", () => {
  const sort = { op: "sort", attributes: { axis: 0, descending: false }, parents: [0] };
  const json = (extent: number, count: number): unknown => ({
    format: "adjudge.graph.v1",
    inputs: [{ name: "x", shape: [extent] }],
    environment: [],
    nodes: Array.from({ length: count }, () => sort),
  });

  test("is refused where one node does, before it is written out", () => {
    expect(checkGraph(json(10 ** 8, 1))).toMatchObject({
      ok: false,
      error: [{ code: "graph/expansion", pointer: "/nodes/0" }],
    });
  });

  test("is refused where all nodes together do, at the first that is too many", () => {
    expect(checkGraph(json(1000, 2))).toMatchObject({ ok: true });
    expect(checkGraph(json(1000, 60))).toMatchObject({
      ok: false,
      error: [{ code: "graph/expansion", pointer: expect.stringMatching(/^\/nodes\/2\d$/) }],
    });
  });
});
