import { describe, expect, test } from "vitest";
import { type ComponentSet, type Expected, nodeId } from "../../spec/index.ts";
import type { Component, Truth } from "../truth/index.ts";
import { admit, allowing } from "./admit.ts";

const third: ComponentSet = { kind: "exact", value: "1/3" };
const nearOne: ComponentSet = { kind: "exact", value: `${10n ** 400n + 1n}/${10n ** 400n}` };
const unit: ComponentSet = { kind: "enclosure", low: "0x1p+0", high: "0x1.8p+0" };
const nan: ComponentSet = { kind: "nan" };
const masked: ComponentSet = { kind: "one_of", members: [{ kind: "exact", value: "0" }, nan] };

describe("admit", () => {
  test.each<[string, ComponentSet, number, number, string]>([
    ["the float next to a third", third, 1 / 3, 2 ** -54, "within"],
    ["the float next to a third without any bound", third, 1 / 3, 0, "outside"],
    ["a third where nothing bounds it", third, 1 / 3, Number.NaN, "undecided"],
    ["a member itself where nothing bounds it", masked, 0, Number.NaN, "within"],
    ["what is no member where nothing bounds it", masked, 1, Number.NaN, "undecided"],
    ["a quotient of integers that no float reaches", nearOne, 1, 2 ** -1000, "within"],
    ["what is not near such a quotient", nearOne, 1 + 2 ** -52, 2 ** -1000, "outside"],
    ["a number inside an enclosure", unit, 1.25, 0, "within"],
    ["the low end", unit, 1, 0, "within"],
    ["the high end and its bound", unit, 1.625, 0.125, "within"],
    ["beyond the bound", unit, 1.6250001, 0.125, "outside"],
    ["NaN in an enclosure", unit, Number.NaN, 1, "outside"],
    ["NaN where there is no value", nan, Number.NaN, 0, "within"],
    ["a number where there is no value", nan, 0, 1e300, "outside"],
    ["infinity", { kind: "exact", value: "inf" }, Number.POSITIVE_INFINITY, Number.NaN, "within"],
    ["the other infinity", { kind: "exact", value: "inf" }, Number.NEGATIVE_INFINITY, 1, "outside"],
    ["the greatest float for infinity", { kind: "exact", value: "inf" }, Number.MAX_VALUE, 1, "outside"],
    ["a member of a choice", { kind: "one_of", members: [third, nan] }, Number.NaN, 0, "within"],
    ["no member of a choice", { kind: "one_of", members: [third, unit] }, 0.75, 0.125, "outside"],
    ["between the members of a hull", { kind: "hull", members: [third, unit] }, 0.75, 0, "within"],
    ["beyond a hull", { kind: "hull", members: [unit, third] }, 0.25, 0.0625, "outside"],
    ["NaN in a hull of NaN", { kind: "hull", members: [third, nan] }, Number.NaN, 0, "within"],
    ["anything", { kind: "any" }, Number.NaN, 0, "within"],
    ["what is not known", { kind: "undecided" }, 0, 0, "undecided"],
  ])("judges %s", (_, set, answer, bound, expected) => {
    expect(admit(set, answer, bound)).toBe(expected);
  });
});

describe("allowing", () => {
  const zero: Component = {
    judge: (answer) => (answer === 0 ? "within" : "outside"),
    expected: "0",
    allowed: "0",
    isOpen: false,
    bound: 0,
    boundFor: () => 0,
    near: { value: 0, slack: 0, bound: 0 },
  };
  const parts = {
    value: () => [zero, zero],
    tangent: () => [zero, zero],
    cotangent: () => [zero, zero],
  };
  const truth: Truth = {
    isExact: true,
    shapes: [[2]],
    ...parts,
    after: () => parts,
    storedZeros: {
      value: () => [false, false],
      tangent: () => [false, false],
      cotangent: () => [false, false],
    },
  };
  const choice: ComponentSet = {
    kind: "one_of",
    members: [
      { kind: "exact", value: "0" },
      { kind: "exact", value: "1" },
    ],
  };
  const allowed: Expected = {
    values: [],
    tangents: [],
    cotangents: [{ id: 0, sets: [choice, { kind: "exact", value: "0" }] }],
  };
  const judged = (component: Component | undefined): string[] =>
    [0, 1, 2].map((x) => component?.judge(x) ?? "missing");

  test("takes a choice for right, at the component and in the part it is given for", () => {
    const relaxed = allowing(truth, allowed);
    expect(relaxed.cotangent(nodeId(0)).map(judged)).toEqual([
      ["within", "within", "outside"],
      ["within", "outside", "outside"],
    ]);
    expect(judged(relaxed.tangent(nodeId(0))[0])).toEqual(["within", "outside", "outside"]);
  });

  test("never takes for wrong what the truth admits", () => {
    const other: Expected = { ...allowed, cotangents: [{ id: 0, sets: [{ kind: "nan" }, { kind: "nan" }] }] };
    expect(allowing(truth, other).cotangent(nodeId(0))[0]?.judge(0)).toBe("within");
  });
});
