import { describe, expect, test } from "vitest";
import { present } from "../../spec/index.ts";
import {
  dyadicOf,
  GREATEST_WIDTH,
  greatestCode,
  LEAST_WIDTH,
  notReal,
  type Posit,
  positValue,
  positWidth,
  roundToPosit,
} from "./posit_format.ts";
import { compareRationals, type Rational, rational, rationalFromNumber, rationalOf } from "./rational.ts";

const exact = present(rational.levels.orderedField, "the rational numbers");
const read = (text: string): Rational => present(rational.parse(text), text);
const unsigned = (width: number, code: Posit): string =>
  BigInt.asUintN(width, code)
    .toString(16)
    .padStart(Math.ceil(width / 4), "0");
const halved = (x: Rational): Rational => exact.divide(x, rationalOf(2n, 1n));

/** A width's codes of positive posits, in their order. */
function positiveCodes(width: number): readonly Posit[] {
  return Array.from({ length: Number(greatestCode(width)) }, (_, code) => BigInt(code + 1));
}

type Rounding = (width: number, x: Rational) => Posit;

/** It is smaller than any distance between a threshold and what it parts. */
const LITTLE = rationalOf(1n, 1n << 400n);

/**
 * Returns the first number for which a rounding is not the standard's: each positive posit, the threshold
 * above it, what is a little below and a little above that, what lies beyond the ends; and their negatives.
 */
function misrounded(width: number, round: Rounding): string | undefined {
  const check = (x: Rational, code: Posit): string | undefined =>
    round(width, x) === code && round(width, exact.negative(x)) === -code
      ? undefined
      : `${rational.format(x)} is not ${unsigned(width, code)}`;
  const greatest = greatestCode(width);
  const [least, most] = [positValue(width, 1n), positValue(width, greatest)];
  const ends = [
    check(exact.multiply(most, read("1e30")), greatest),
    check(halved(least), 1n),
    check(LITTLE, 1n),
  ];
  for (const lower of positiveCodes(width)) {
    const x = positValue(width, lower);
    const own = check(x, lower);
    if (own !== undefined) return own;
    if (lower === greatest) break;
    const threshold = positValue(width + 1, 2n * lower + 1n);
    const even = lower % 2n === 0n ? lower : lower + 1n;
    const found =
      check(threshold, even) ??
      check(exact.add(threshold, exact.negative(LITTLE)), lower) ??
      check(exact.add(threshold, LITTLE), lower + 1n);
    if (found !== undefined) return found;
  }
  return ends.find((end) => end !== undefined);
}

/** Rounds by a rule that says, of a number between two codes, whether it goes up. */
function roundingBy(goesUp: (width: number, lower: Posit, x: Rational) => boolean): Rounding {
  const round: Rounding = (width, x) => {
    if (x.numerator < 0n) return -round(width, exact.negative(x));
    const nearest = roundToPosit(width, x);
    const order = compareRationals(positValue(width, nearest), x);
    if (order === 0 || nearest === greatestCode(width)) return nearest;
    const lower = order === 1 ? nearest - 1n : nearest;
    return lower === 0n ? 1n : goesUp(width, lower, x) ? lower + 1n : lower;
  };
  return round;
}

/** Says on which side of a threshold a number is. */
const beside = (x: Rational, threshold: Rational): number =>
  present(compareRationals(x, threshold), "an order");
const thresholdOf = (width: number, lower: Posit): Rational => positValue(width + 1, 2n * lower + 1n);
const sized = (round: (size: Rational) => Posit, x: Rational): Posit =>
  x.numerator < 0n ? -round(exact.negative(x)) : round(x);

const wrongRoundings: Readonly<Record<string, Rounding>> = {
  "by the arithmetic mean of neighbours": roundingBy((width, lower, x) => {
    const mean = halved(exact.add(positValue(width, lower), positValue(width, lower + 1n)));
    const order = beside(x, mean);
    return order > 0 || (order === 0 && lower % 2n !== 0n);
  }),
  "ties away from zero": roundingBy((width, lower, x) => beside(x, thresholdOf(width, lower)) >= 0),
  "ties towards zero": roundingBy((width, lower, x) => beside(x, thresholdOf(width, lower)) > 0),
  "ties to the odd code": roundingBy((width, lower, x) => {
    const order = beside(x, thresholdOf(width, lower));
    return order > 0 || (order === 0 && lower % 2n === 0n);
  }),
  "towards zero": roundingBy(() => false),
  "away from zero": roundingBy(() => true),
  "without the sticky bits": roundingBy((width, lower, x) => {
    // What is above the threshold by less than a thousandth is taken for a tie.
    const threshold = thresholdOf(width, lower);
    if (beside(x, exact.multiply(threshold, read("1.001"))) >= 0) return true;
    return beside(x, threshold) >= 0 && lower % 2n !== 0n;
  }),
  "to zero below the least": (width, x) =>
    sized(
      (size) => (compareRationals(size, positValue(width, 1n)) === -1 ? 0n : roundToPosit(width, size)),
      x,
    ),
  "to zero below half the least": (width, x) =>
    sized(
      (size) =>
        compareRationals(size, halved(positValue(width, 1n))) === -1 ? 0n : roundToPosit(width, size),
      x,
    ),
  "to NaR beyond the greatest": (width, x) =>
    sized(
      (size) =>
        compareRationals(size, positValue(width, greatestCode(width))) === 1
          ? notReal(width)
          : roundToPosit(width, size),
      x,
    ),
  "through a format of three bits more": (width, x) =>
    roundToPosit(width, positValue(width + 3, roundToPosit(width + 3, x))),
};

/**
 * These are from the tables of the standard and of its readers: codes in hexadecimal, of 8, 16, 32 and 64
 * bits.
 */
const known: readonly (readonly [string, string, string, string, string])[] = [
  ["0", "00", "0000", "00000000", "0000000000000000"],
  ["1", "40", "4000", "40000000", "4000000000000000"],
  ["2", "48", "4800", "48000000", "4800000000000000"],
  ["1/2", "38", "3800", "38000000", "3800000000000000"],
  ["3", "4c", "4c00", "4c000000", "4c00000000000000"],
  ["1/3", "33", "32ab", "32aaaaab", "32aaaaaaaaaaaaab"],
  ["1/10", "25", "24cd", "24cccccd", "24cccccccccccccd"],
  ["10", "5a", "5a00", "5a000000", "5a00000000000000"],
  ["1000", "74", "73e8", "73e80000", "73e8000000000000"],
  ["65504", "7c", "7c00", "7bffc000", "7bffc00000000000"],
  ["1e10", "7f", "7fc9", "7fc95030", "7fc9502f90000000"],
  ["0x1p-40", "01", "0010", "00100000", "0010000000000000"],
  ["1e-30", "01", "0001", "00000022", "000000222425ff76"],
  ["0x1p200", "7f", "7fff", "7fffffff", "7ffffffffffff000"],
  ["-1", "c0", "c000", "c0000000", "c000000000000000"],
  ["-2.5", "b6", "b600", "b6000000", "b600000000000000"],
  ["17/16", "40", "4080", "40800000", "4080000000000000"],
  ["0x1.921fb54442d18p+1", "4d", "4c91", "4c90fdaa", "4c90fdaa22168c00"],
];

describe("posits are the standard's", () => {
  test.each(known)("%s has the codes %s, %s, %s, %s", (text, ...codes) => {
    expect([8, 16, 32, 64].map((width) => unsigned(width, roundToPosit(width, read(text))))).toEqual(codes);
  });

  test("the greatest is 2^(4n − 8) and the least positive one its inverse, in every width", () => {
    for (let width = LEAST_WIDTH; width <= GREATEST_WIDTH; width++) {
      const most = rationalOf(1n << BigInt(4 * width - 8), 1n);
      expect(positValue(width, greatestCode(width))).toEqual(most);
      expect(positValue(width, 1n)).toEqual(exact.divide(exact.one, most));
    }
  });

  test("consecutive integers are posits up to 16, 1024, 2²³ and 2⁴⁸, and no further", () => {
    const limits: readonly (readonly [number, bigint])[] = [
      [8, 16n],
      [16, 1024n],
      [32, 1n << 23n],
      [64, 1n << 48n],
    ];
    const isPosit = (width: number, integer: bigint): boolean => {
      const x = rationalOf(integer, 1n);
      return compareRationals(positValue(width, roundToPosit(width, x)), x) === 0;
    };
    for (const [width, limit] of limits) {
      for (let below = 0n; below < 1024n && below < limit; below++)
        expect(isPosit(width, limit - below)).toBe(true);
      expect(isPosit(width, limit + 1n)).toBe(false);
    }
  });

  test("each code of up to 16 bits is what its number rounds to, and numbers are in the order of codes", () => {
    for (const width of [3, 4, 5, 6, 7, 8, 9, 10, 16]) {
      let before: Rational | undefined;
      for (let code = notReal(width) + 1n; code <= greatestCode(width); code++) {
        const value = positValue(width, code);
        if (roundToPosit(width, value) !== code) expect.fail(`${width}: ${unsigned(width, code)}`);
        if (before !== undefined && compareRationals(before, value) !== -1) expect.fail(`${width}: ${code}`);
        before = value;
      }
      expect(positValue(width, notReal(width)).denominator).toBe(0n);
    }
  });

  test("a posit of 64 bits has 60 significant ones near 1, and one at the ends", () => {
    expect(dyadicOf(64, roundToPosit(64, read("4/3"))).significand.toString(2)).toHaveLength(60);
    expect(dyadicOf(64, greatestCode(64)).significand).toBe(1n);
  });
});

describe("rounding is to the nearer side of the threshold, the posit with one bit more", () => {
  test.each([3, 4, 5, 6, 7, 8, 9, 10, 16])("at every pair of neighbours of %s bits", (width) => {
    expect(misrounded(width, roundToPosit)).toBeUndefined();
  });

  test("which at the ends of posit8 is 2²², 2¹⁹, 2¹⁷ and 2⁻²², and no arithmetic mean", () => {
    const at = (lower: bigint): Rational => thresholdOf(8, lower);
    expect([0x7en, 0x7dn, 0x7cn, 0x01n, 0x40n].map(at)).toEqual(
      ["0x1p22", "0x1p19", "0x1p17", "0x1p-22", "17/16"].map(read),
    );
    expect(roundToPosit(8, read("8912896"))).toBe(0x7fn);
    expect(roundToPosit(8, read("4194305"))).toBe(0x7fn);
    expect(roundToPosit(8, read("4194303"))).toBe(0x7en);
  });

  test.each(Object.keys(wrongRoundings))("and a rounding %s is refuted", (name) => {
    expect(misrounded(8, present(wrongRoundings[name], name))).toBeDefined();
  });

  test("of what has no value is NaR, and of a double what it is of the number", () => {
    expect(roundToPosit(8, rationalOf(1n, 0n))).toBe(-128n);
    expect(roundToPosit(16, rationalFromNumber(0.1))).toBe(roundToPosit(16, read("1/10")));
  });
});

describe("a width", () => {
  test("is an integer from 3 to 64", () => {
    expect([3, 8, 17, 64].map((width) => positWidth(width).ok)).toEqual([true, true, true, true]);
    for (const width of [2, 65, 0, -8, 8.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      const given = positWidth(width);
      expect(given.ok ? undefined : given.error).toMatchObject({
        code: "posit/width",
        hint: expect.stringContaining("3 to 64"),
      });
    }
  });
});
