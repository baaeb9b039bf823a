import fc from "fast-check";
import { expect, test } from "vitest";
import { type FloatSet, floatSet, isOpen, only, union, wordsOf } from "./float_set.ts";

const { NaN: NAN, POSITIVE_INFINITY: INF } = Number;

const numbers = fc.constantFrom(NAN, -INF, -2.5, -1, -0, 0, 1, 3, INF);

function setOf(xs: readonly number[]): FloatSet {
  return union(...xs.map(only));
}

test("a set does not depend on the order in which it was put together", () => {
  const law = fc.property(fc.array(numbers, { minLength: 1 }), fc.array(numbers), (xs, ys) => {
    const [one, other] = [setOf([...xs, ...ys]), union(setOf(ys), setOf(xs))];
    expect(wordsOf(one)).toBe(wordsOf(other));
    expect(isOpen(one)).toBe(isOpen(other));
  });
  fc.assert(law, { seed: 31, numRuns: 200 });
});

test("a set's words go from the least number to the greatest, and to NaN", () => {
  expect(wordsOf(setOf([NAN, 3, 1, INF, 0, -0, -1, -2.5, -INF]))).toBe(
    "-inf or -0x1.4p+1 to -0x1p+0 or -0x0p+0 or 0x0p+0 or 0x1p+0 to 0x1.8p+1 or inf or nan",
  );
  expect(wordsOf(floatSet([]))).toBe("");
});
