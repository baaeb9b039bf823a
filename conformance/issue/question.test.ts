import { expect, test } from "vitest";
import { disagreement } from "../report/sections.test.kit.ts";
import { questionOf, rightNumbers } from "./question.ts";

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

test("a script puts no question that is wrong only among other calls", () => {
  const verdict = disagreement(0);
  if (verdict.kind !== "disagrees") throw new Error(verdict.kind);
  const { witness } = verdict;
  const among = (calls: typeof witness.case.calls) =>
    questionOf({ ...witness, case: { ...witness.case, calls: calls ?? [] } }, "float64", (graph) => graph).ok;
  expect(among([])).toBe(true);
  expect(among([{ mode: "evaluate" }])).toBe(true);
  expect(among([{ mode: "jvp" }, { mode: "evaluate" }])).toBe(false);
  expect(among([{ mode: "evaluate", change: "attribute" }])).toBe(false);
});
