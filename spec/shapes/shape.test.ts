import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSameShape, MAXIMUM_ELEMENTS, sizeOf, stridesOf, wellFormedShape } from "./shape.ts";

describe("shapes", () => {
  it("give a scalar one element and a tensor with an extent of 0 none", () => {
    expect(sizeOf([])).toBe(1);
    expect(sizeOf([3, 0, 2])).toBe(0);
  });

  it("are the same only with the same extents on the same axes", () => {
    expect(isSameShape([2, 3], [2, 3])).toBe(true);
    expect(isSameShape([2, 3], [3, 2])).toBe(false);
    expect(isSameShape([1], [])).toBe(false);
  });

  it("have strides that number the elements 0, 1, 2, … in row-major order", () => {
    const shapes = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 4 });
    function numbersInOrder(strides: (shape: number[]) => number[]): boolean {
      const law = fc.property(shapes, (shape) => {
        const places = shape.reduce<number[][]>(
          (all, extent) => all.flatMap((place) => Array.from({ length: extent }, (_, i) => [...place, i])),
          [[]],
        );
        const steps = strides(shape);
        return places.every(
          (place, number) => number === place.reduce((offset, i, axis) => offset + i * (steps[axis] ?? 0), 0),
        );
      });
      return !fc.check(law, { seed: 1, numRuns: 200 }).failed;
    }
    expect(numbersInOrder(stridesOf)).toBe(true);
    expect(numbersInOrder((shape) => stridesOf(shape.toReversed()).toReversed())).toBe(false);
  });
});

describe("wellFormedShape", () => {
  it.each([
    [[]],
    [[0]],
    [[MAXIMUM_ELEMENTS]],
    [[0, MAXIMUM_ELEMENTS]],
    [new Array(32).fill(1)],
  ])("accepts [%s]", (shape) => expect(wellFormedShape(shape).ok).toBe(true));

  it.each([
    [[-1], "shape/extent"],
    [[0.5], "shape/extent"],
    [[Number.NaN], "shape/extent"],
    [[2 ** 53], "shape/extent"],
    [new Array(33).fill(1), "shape/rank"],
    [[1e12], "shape/too-large"],
    [[MAXIMUM_ELEMENTS, 2], "shape/too-large"],
    [[0, 1e6, 1e6], "shape/too-large"],
    [new Array(32).fill(2 ** 52), "shape/too-large"],
  ])("refuses [%s]: %s", (shape, code) => {
    const result = wellFormedShape(shape);
    expect(result.ok ? "" : result.error.code).toBe(code);
  });
});
