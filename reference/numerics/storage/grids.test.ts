import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { at, gridNames } from "../../../spec/index.ts";
import { gridLosses, gridTypes } from "./grids.ts";
import { halfAway } from "./rounding.ts";
import { decode, encode } from "./stored.ts";

/** Tensors of one to five elements, each a middle, a reach round it and where in it the element lies. */
const elements = fc.array(
  fc.record({
    middle: fc.oneof(
      fc.constantFrom(0, 1, -1, 2 ** -120, -(2 ** 100)),
      fc.double({ min: -8, max: 8, noNaN: true }),
    ),
    reach: fc.constantFrom(0, 2 ** -40, 0.001, 1),
    part: fc.constantFrom(-1, -0.5, 0, 0.3, 1),
  }),
  { minLength: 1, maxLength: 5 },
);
const drawn = fc.sample(elements, { seed: 1811, numRuns: 3000 });

/** Returns, for each element that a given loss does not explain, how far storage moved it. */
function parts(name: (typeof gridNames)[number]): number[] {
  const type = gridTypes[name];
  return drawn.flatMap((tensor) => {
    const losses = gridLosses(type, {
      low: tensor.map(({ middle, reach }) => middle - reach),
      high: tensor.map(({ middle, reach }) => middle + reach),
    });
    const data = tensor.map(({ middle, reach, part }) => middle + part * reach);
    const stored = encode(type, data, halfAway);
    if (!stored.ok) return expect.unreachable("all are finite");
    const moved = decode(stored.value).map((x, i) => Math.abs(x - at(data, i)));
    return moved.flatMap((by, i) => (by === 0 ? [] : [by / at(losses, i)]));
  });
}

describe("what codes of a range of tensors lose", () => {
  test.each(gridNames)("is never more than is said, and nearly as much: %s", (name) => {
    const found = parts(name);
    expect(found.length).toBeGreaterThan(1000);
    const most = found.reduce((a, b) => Math.max(a, b));
    expect(most).toBeLessThanOrEqual(1);
    expect(most).toBeGreaterThan(0.95);
  });

  test("is not bounded where no float32 holds a number, and is nothing for a zero that has a grid", () => {
    const low = [0, 1, -2];
    expect(gridLosses(gridTypes.sym8, { low, high: [0, 2, 2] })[0]).toBe(0);
    expect(gridLosses(gridTypes.sym8, { low, high: [0, 2, 1e39] })).toEqual([
      Number.POSITIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      Number.POSITIVE_INFINITY,
    ]);
    expect(gridLosses(gridTypes.asym8, { low: [Number.NaN], high: [Number.NaN] })).toEqual([
      Number.POSITIVE_INFINITY,
    ]);
  });

  test("is next to nothing of a single element", () => {
    expect(gridLosses(gridTypes.sym8, { low: [1], high: [2] })[0]).toBeLessThan(2 ** -20);
  });
});
