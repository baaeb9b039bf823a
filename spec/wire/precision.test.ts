import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { binadeOf, floatTypes, formats } from "./precision.ts";

/** Every bfloat16 is the upper half of a float32. */
function bfloat16At(pattern: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint16(0, pattern);
  return view.getFloat32(0);
}

/** All finite positive bfloat16 numbers and zero, ascending. */
const all: readonly number[] = Array.from({ length: 0x7f80 }, (_, pattern) => bfloat16At(pattern));

/** Returns a number between two neighbours where rounding goes the wrong way, if any. */
function misrounded(round: (x: number) => number): number | undefined {
  const sign = [1, -1];
  for (const [pattern, below] of all.entries()) {
    const above = all[pattern + 1] ?? 2 ** 128;
    const tie = (below + above) / 2;
    const even = pattern % 2 === 0 ? below : above;
    const step = tie * 2 ** -52;
    const rows: [number, number][] = [
      [below, below],
      [tie, even === 2 ** 128 ? Number.POSITIVE_INFINITY : even],
      [tie - step, below],
      [tie + step, above === 2 ** 128 ? Number.POSITIVE_INFINITY : above],
    ];
    for (const [x, expected] of rows) {
      if (sign.some((s) => !Object.is(round(s * x), s * expected))) return x;
    }
  }
  return undefined;
}

describe("rounding to bfloat16", () => {
  it("goes to the nearest of its numbers, ties to even, all of them tried", () => {
    expect(misrounded(formats.bfloat16.round)).toBeUndefined();
  });

  it("is not truncation, nor rounding twice by way of float32", () => {
    const view = new DataView(new ArrayBuffer(4));
    const halved = (x: number, add: number): number => {
      view.setFloat32(0, x);
      const pattern = view.getUint32(0);
      const even = add === 0 ? 0 : (pattern >>> 16) & 1;
      view.setUint32(0, ((pattern + add + even) & 0xffff0000) >>> 0);
      return view.getFloat32(0);
    };
    expect(misrounded((x) => halved(x, 0))).not.toBeUndefined();
    expect(misrounded((x) => halved(x, 0x7fff))).not.toBeUndefined();
  });

  it("keeps zeros, infinities and NaN", () => {
    const special = [0, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN];
    expect(special.map(formats.bfloat16.round)).toEqual(special);
    expect(formats.bfloat16.round(-(2 ** -140))).toBe(-0);
  });
});

describe.each(floatTypes)("%s", (dtype) => {
  const { round, unitRoundoff, smallest, smallestNormal, largest } = formats[dtype];

  it("has the largest, the smallest and the smallest normal number that it says", () => {
    expect([largest, smallest, smallestNormal].map(round)).toEqual([largest, smallest, smallestNormal]);
    expect(round(largest + largest * unitRoundoff)).toBe(Number.POSITIVE_INFINITY);
    expect(round(smallest / 2)).toBe(0);
  });

  test("a number between its normal ones moves by at most u of itself", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: 2 ** -14, max: 2 ** 15 }), (x) => {
        expect(Math.abs(round(x) - x)).toBeLessThanOrEqual(unitRoundoff * x);
        expect(round(round(x))).toBe(round(x));
      }),
      { seed: 4 },
    );
  });
});

describe("the binade of a number", () => {
  it("is the power of two below it, and rounding moves it by no more than u of that", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: 2 ** -14, max: 2 ** 15 }), (x) => {
        const binade = binadeOf(-x);
        expect([Number.isInteger(Math.log2(binade)), binade <= x, x < 2 * binade]).toEqual([
          true,
          true,
          true,
        ]);
        for (const { round, unitRoundoff } of floatTypes.map((name) => formats[name])) {
          expect(Math.abs(round(x) - x)).toBeLessThanOrEqual(unitRoundoff * binade);
        }
      }),
      { seed: 6 },
    );
    expect([0, 2 ** -1060, Number.POSITIVE_INFINITY, Number.NaN].map(binadeOf)).toEqual([
      0,
      0,
      Number.POSITIVE_INFINITY,
      Number.NaN,
    ]);
  });
});
