import { describe, expect, test } from "vitest";
import { deviationOf, isSameFunction } from "./deviation.ts";

describe("a deviation", () => {
  test("is the largest difference over the largest magnitude expected", () => {
    expect(deviationOf([4, -8, 0], [4, -8, 1])).toBe(0.125);
    expect(deviationOf([4, -8], [4, -8])).toBe(0);
    expect(deviationOf([0], [0.5])).toBe(Number.POSITIVE_INFINITY);
  });

  test("is infinite for a NaN, an infinity or a number too many, and not for those that are expected", () => {
    expect(deviationOf([1, 2], [1, Number.NaN])).toBe(Number.POSITIVE_INFINITY);
    expect(deviationOf([1, 2], [1, Number.POSITIVE_INFINITY])).toBe(Number.POSITIVE_INFINITY);
    expect(deviationOf([1, 2], [1, 2, 3])).toBe(Number.POSITIVE_INFINITY);
    expect(deviationOf([1, Number.NaN], [1, Number.NaN])).toBe(0);
  });

  test("is the same function's up to half of the digits, or what a sum of so many terms may lose", () => {
    expect(isSameFunction(1e-8, "float64")).toBe(true);
    expect(isSameFunction(2e-8, "float64")).toBe(false);
    expect(isSameFunction(2e-8, "float32")).toBe(true);
    expect(isSameFunction(1e-3, "float32")).toBe(false);
    expect(isSameFunction(1e-3, "float32", 1e6)).toBe(true);
    expect(isSameFunction(1e-1, "float32", 1e6)).toBe(false);
  });
});
