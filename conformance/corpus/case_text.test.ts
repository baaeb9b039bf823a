import { describe, expect, test } from "vitest";
import { array, nodesFrom } from "./case_text.ts";

describe("array", () => {
  test("reads extents from the brackets and elements row by row", () => {
    expect(array(7)).toEqual([[], [7]]);
    expect(array([[1, 2, 3]])).toEqual([
      [1, 3],
      [1, 2, 3],
    ]);
    expect(array([])).toEqual([[0], []]);
  });
});

describe("nodesFrom", () => {
  test("reads operators, parents and attributes, and keeps the nodes that a list holds besides", () => {
    expect(nodesFrom("multiply 0 0; pad 1 low=[0,-1] value=-0; gelu 2 approximate=tanh")).toEqual([
      ["multiply", [0, 0], {}],
      ["pad", [1], { low: [0, -1], value: -0 }],
      ["gelu", [2], { approximate: "tanh" }],
    ]);
    expect(nodesFrom([["exp", [0]], "einsum 1 equation=ii->; sum 2 keepdims=false"])).toEqual([
      ["exp", [0]],
      ["einsum", [1], { equation: "ii->" }],
      ["sum", [2], { keepdims: false }],
    ]);
  });
});
