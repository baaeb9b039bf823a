import { expect, test } from "vitest";
import { rightNumbers } from "./question.ts";

test.each([
  ["1/3", "0", { low: 0.33333333333333337, high: 0.3333333333333333 }],
  ["1", "0x1p-52", { low: 1 - 2 ** -52, high: 1 + 2 ** -52 }],
  ["0", "0x1p-1075", { low: -0, high: 0 }],
  ["nan", "0", "nan"],
  ["-inf", "0", { low: Number.NEGATIVE_INFINITY, high: Number.NEGATIVE_INFINITY }],
  ["1", "inf", { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }],
])("right for %s within %s are the float64 numbers between two of them", (expected, bound, right) => {
  expect(rightNumbers(expected, bound)).toEqual(right);
});

test("there are no right numbers where the expectation is no number", () => {
  expect(rightNumbers("a refusal", "0")).toBeUndefined();
});
