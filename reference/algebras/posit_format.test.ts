import { describe, expect, test } from "vitest";
import {
  boundedPosit,
  checkPositFormat,
  GREATEST_WIDTH,
  LEAST_WIDTH,
  oneBitMore,
  type PositFormat,
  positFormatNamed,
  positName,
  present,
  standardPosit,
} from "../../spec/index.ts";
import { dyadicOf, greatestCode, notReal, type Posit, positValue, roundToPosit } from "./posit_format.ts";
import { compareRationals, type Rational, rational, rationalFromNumber, rationalOf } from "./rational.ts";

const exact = present(rational.levels.orderedField, "the rational numbers");
const read = (text: string): Rational => present(rational.parse(text), text);
const unsigned = ({ width }: PositFormat, code: Posit): string =>
  BigInt.asUintN(width, code)
    .toString(16)
    .padStart(Math.ceil(width / 4), "0");
const halved = (x: Rational): Rational => exact.divide(x, rationalOf(2n, 1n));

/** A format's codes of positive posits, in their order. */
function positiveCodes(format: PositFormat): readonly Posit[] {
  return Array.from({ length: Number(greatestCode(format)) }, (_, code) => BigInt(code + 1));
}

type Rounding = (format: PositFormat, x: Rational) => Posit;

/** It is smaller than any distance between a threshold and what it parts. */
const LITTLE = rationalOf(1n, 1n << 400n);

/**
 * Returns the first number for which a rounding is not the standard's: each positive posit, the threshold
 * above it, what is a little below and a little above that, what lies beyond the ends; and their negatives.
 */
function misrounded(format: PositFormat, round: Rounding): string | undefined {
  const check = (x: Rational, code: Posit): string | undefined =>
    round(format, x) === code && round(format, exact.negative(x)) === -code
      ? undefined
      : `${rational.format(x)} is not ${unsigned(format, code)}`;
  const greatest = greatestCode(format);
  const [least, most] = [positValue(format, 1n), positValue(format, greatest)];
  const ends = [
    check(exact.multiply(most, read("1e30")), greatest),
    check(exact.add(most, LITTLE), greatest),
    check(halved(least), 1n),
    check(exact.add(least, exact.negative(LITTLE)), 1n),
    check(LITTLE, 1n),
  ];
  for (const lower of positiveCodes(format)) {
    const x = positValue(format, lower);
    const own = check(x, lower);
    if (own !== undefined) return own;
    if (lower === greatest) break;
    const threshold = positValue(oneBitMore(format), 2n * lower + 1n);
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
function roundingBy(goesUp: (format: PositFormat, lower: Posit, x: Rational) => boolean): Rounding {
  const round: Rounding = (format, x) => {
    if (x.numerator < 0n) return -round(format, exact.negative(x));
    const nearest = roundToPosit(format, x);
    const order = compareRationals(positValue(format, nearest), x);
    if (order === 0 || nearest === greatestCode(format)) return nearest;
    const lower = order === 1 ? nearest - 1n : nearest;
    return lower === 0n ? 1n : goesUp(format, lower, x) ? lower + 1n : lower;
  };
  return round;
}

/** Says on which side of a threshold a number is. */
const beside = (x: Rational, threshold: Rational): number =>
  present(compareRationals(x, threshold), "an order");
const thresholdOf = (format: PositFormat, lower: Posit): Rational =>
  positValue(oneBitMore(format), 2n * lower + 1n);
const sized = (round: (size: Rational) => Posit, x: Rational): Posit =>
  x.numerator < 0n ? -round(exact.negative(x)) : round(x);

const wider = (format: PositFormat): PositFormat => oneBitMore(oneBitMore(oneBitMore(format)));

const wrongRoundings: Readonly<Record<string, Rounding>> = {
  "by the arithmetic mean of neighbours": roundingBy((format, lower, x) => {
    const mean = halved(exact.add(positValue(format, lower), positValue(format, lower + 1n)));
    const order = beside(x, mean);
    return order > 0 || (order === 0 && lower % 2n !== 0n);
  }),
  "ties away from zero": roundingBy((format, lower, x) => beside(x, thresholdOf(format, lower)) >= 0),
  "ties towards zero": roundingBy((format, lower, x) => beside(x, thresholdOf(format, lower)) > 0),
  "ties to the odd code": roundingBy((format, lower, x) => {
    const order = beside(x, thresholdOf(format, lower));
    return order > 0 || (order === 0 && lower % 2n === 0n);
  }),
  "towards zero": roundingBy(() => false),
  "away from zero": roundingBy(() => true),
  "without the sticky bits": roundingBy((format, lower, x) => {
    // What is above the threshold by less than a thousandth is taken for a tie.
    const threshold = thresholdOf(format, lower);
    if (beside(x, exact.multiply(threshold, read("1.001"))) >= 0) return true;
    return beside(x, threshold) >= 0 && lower % 2n !== 0n;
  }),
  "to zero below the least": (format, x) =>
    sized(
      (size) => (compareRationals(size, positValue(format, 1n)) === -1 ? 0n : roundToPosit(format, size)),
      x,
    ),
  "to zero below half the least": (format, x) =>
    sized(
      (size) =>
        compareRationals(size, halved(positValue(format, 1n))) === -1 ? 0n : roundToPosit(format, size),
      x,
    ),
  "to NaR beyond the greatest": (format, x) =>
    sized(
      (size) =>
        compareRationals(size, positValue(format, greatestCode(format))) === 1
          ? notReal(format)
          : roundToPosit(format, size),
      x,
    ),
  "through a format of three bits more": (format, x) =>
    roundToPosit(format, positValue(wider(format), roundToPosit(wider(format), x))),
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
    expect(
      [8, 16, 32, 64].map((width) =>
        unsigned(standardPosit(width), roundToPosit(standardPosit(width), read(text))),
      ),
    ).toEqual(codes);
  });

  test("the greatest is 2^(4n − 8) and the least positive one its inverse, in every width", () => {
    for (let width = LEAST_WIDTH; width <= GREATEST_WIDTH; width++) {
      const most = rationalOf(1n << BigInt(4 * width - 8), 1n);
      expect(positValue(standardPosit(width), greatestCode(standardPosit(width)))).toEqual(most);
      expect(positValue(standardPosit(width), 1n)).toEqual(exact.divide(exact.one, most));
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
      return (
        compareRationals(positValue(standardPosit(width), roundToPosit(standardPosit(width), x)), x) === 0
      );
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
      for (
        let code = notReal(standardPosit(width)) + 1n;
        code <= greatestCode(standardPosit(width));
        code++
      ) {
        const value = positValue(standardPosit(width), code);
        if (roundToPosit(standardPosit(width), value) !== code)
          expect.fail(`${width}: ${unsigned(standardPosit(width), code)}`);
        if (before !== undefined && compareRationals(before, value) !== -1) expect.fail(`${width}: ${code}`);
        before = value;
      }
      expect(positValue(standardPosit(width), notReal(standardPosit(width))).denominator).toBe(0n);
    }
  });

  test("a posit of 64 bits has 60 significant ones near 1, and one at the ends", () => {
    expect(
      dyadicOf(standardPosit(64), roundToPosit(standardPosit(64), read("4/3"))).significand.toString(2),
    ).toHaveLength(60);
    expect(dyadicOf(standardPosit(64), greatestCode(standardPosit(64))).significand).toBe(1n);
  });
});

describe("rounding is to the nearer side of the threshold, the posit with one bit more", () => {
  test.each([3, 4, 5, 6, 7, 8, 9, 10, 16])("at every pair of neighbours of %s bits", (width) => {
    expect(misrounded(standardPosit(width), roundToPosit)).toBeUndefined();
  });

  test("which at the ends of posit8 is 2²², 2¹⁹, 2¹⁷ and 2⁻²², and no arithmetic mean", () => {
    const at = (lower: bigint): Rational => thresholdOf(standardPosit(8), lower);
    expect([0x7en, 0x7dn, 0x7cn, 0x01n, 0x40n].map(at)).toEqual(
      ["0x1p22", "0x1p19", "0x1p17", "0x1p-22", "17/16"].map(read),
    );
    expect(roundToPosit(standardPosit(8), read("8912896"))).toBe(0x7fn);
    expect(roundToPosit(standardPosit(8), read("4194305"))).toBe(0x7fn);
    expect(roundToPosit(standardPosit(8), read("4194303"))).toBe(0x7en);
  });

  test.each(Object.keys(wrongRoundings))("and a rounding %s is refuted", (name) => {
    expect(misrounded(standardPosit(8), present(wrongRoundings[name], name))).toBeDefined();
  });

  test("of what has no value is NaR, and of a double what it is of the number", () => {
    expect(roundToPosit(standardPosit(8), rationalOf(1n, 0n))).toBe(-128n);
    expect(roundToPosit(standardPosit(16), rationalFromNumber(0.1))).toBe(
      roundToPosit(standardPosit(16), read("1/10")),
    );
  });
});

/** These have bounded regimes: with room for the exponent at the ends, for a fraction too, or for neither. */
const bounded: readonly PositFormat[] = [
  boundedPosit(12),
  boundedPosit(8),
  { width: 8, regimeBits: 3, exponentBits: 1 },
  { width: 8, regimeBits: 2, exponentBits: 2 },
  { width: 8, regimeBits: 5, exponentBits: 3 },
  { width: 8, regimeBits: 1, exponentBits: 0 },
  { width: 9, regimeBits: 7, exponentBits: 0 },
];

type Decoder = (format: PositFormat, code: Posit) => Rational;

/** A posit's bits after the sign, as digits, and the number that they stand for. */
interface Written {
  readonly digits: string;
  readonly number: Rational;
}

/**
 * Writes out every positive posit of a format field by field: each regime that there is, each exponent, each
 * fraction. It takes no code apart, so that it has nothing in common with a decoder. The word of zeros is 0.
 */
function* written({ width, regimeBits, exponentBits }: PositFormat): Generator<Written> {
  const two = rationalOf(2n, 1n);
  const power = (exponent: number): Rational => {
    let result = exact.one;
    for (let n = 0; n < Math.abs(exponent); n++) result = exact.multiply(result, two);
    return exponent < 0 ? exact.divide(exact.one, result) : result;
  };
  const digitsOf = (x: number, count: number): string =>
    count === 0 ? "" : x.toString(2).padStart(count, "0");
  for (let length = 1; length <= regimeBits; length++)
    for (const digit of ["0", "1"]) {
      const field = digit.repeat(length) + (length < regimeBits ? (digit === "0" ? "1" : "0") : "");
      const room = width - 1 - field.length;
      if (room < 0) continue;
      const own = Math.min(room, exponentBits);
      const scale = (digit === "0" ? -length : length - 1) * 2 ** exponentBits;
      for (let high = 0; high < 2 ** own; high++) {
        const unit = power(scale + high * 2 ** (exponentBits - own));
        for (let low = 0; low < 2 ** (room - own); low++) {
          const digits = field + digitsOf(high, own) + digitsOf(low, room - own);
          const part = rationalOf(BigInt(low) + (1n << BigInt(room - own)), 1n << BigInt(room - own));
          if (digits.includes("1")) yield { digits, number: exact.multiply(unit, part) };
        }
      }
    }
}

/** Returns the first code that a decoder reads as another number than it was written for. */
function misread(format: PositFormat, decode: Decoder): string | undefined {
  let count = 0;
  for (const { digits, number } of written(format)) {
    count++;
    const code = BigInt(`0b${digits}`);
    const isRight =
      compareRationals(decode(format, code), number) === 0 &&
      compareRationals(decode(format, -code), exact.negative(number)) === 0;
    if (!isRight) return `${digits} is ${rational.format(number)}`;
  }
  return BigInt(count) === greatestCode(format) ? undefined : `there are ${count} codes`;
}

/** Reads codes as those of another format of their width. */
const readAs =
  (other: (format: PositFormat) => PositFormat): Decoder =>
  (format, code) =>
    positValue(other(format), code);

const wrongDecoders: Readonly<Record<string, Decoder>> = {
  "a regime that is not bounded": readAs((format) => ({ ...format, regimeBits: format.width - 1 })),
  "a regime of one bit more": readAs((format) => ({ ...format, regimeBits: format.regimeBits + 1 })),
  "a regime of one bit less": readAs((format) => ({ ...format, regimeBits: format.regimeBits - 1 })),
  "one exponent bit less": readAs((format) => ({ ...format, exponentBits: format.exponentBits - 1 })),
  "one exponent bit more": readAs((format) => ({ ...format, exponentBits: format.exponentBits + 1 })),
  "the exponent bits of the standard": readAs((format) => ({ ...format, exponentBits: 2 })),
  "a bit that ends the longest regime": (format, code) => {
    const { width, regimeBits } = format;
    const bits = BigInt.asUintN(width, code < 0n ? -code : code);
    const rest = BigInt(width - 1 - regimeBits);
    const isLongest = bits >> rest === 0n || bits >> rest === (1n << BigInt(regimeBits)) - 1n;
    const without = ((bits >> rest) << rest) | ((bits << 1n) & ((1n << rest) - 1n));
    const read = positValue(format, isLongest ? without : bits);
    return code < 0n ? exact.negative(read) : read;
  },
};

describe("posits with bounded regimes, ⟨n, rS, eS⟩,", () => {
  test("stand for what is written field by field: each code of bposit16", () => {
    expect(misread(boundedPosit(16), positValue)).toBeUndefined();
  });

  test.each(bounded.map((format) => [positName(format), format] as const))("and each of %s", (_, format) => {
    expect(misread(format, positValue)).toBeUndefined();
  });

  test("as those of the standard do, whose regimes fill the word", () => {
    for (const width of [3, 4, 5, 8, 10]) expect(misread(standardPosit(width), positValue)).toBeUndefined();
  });

  test.each(Object.entries(wrongDecoders))("and a decoder with %s is refuted", (_, decode) => {
    expect(misread(boundedPosit(16), decode)).toBeDefined();
  });

  test("are rounded to the nearer side of the threshold, as others are: at every pair of bposit16", () => {
    expect(misrounded(boundedPosit(16), roundToPosit)).toBeUndefined();
  });

  test.each(bounded.map((format) => [positName(format), format] as const))("and of %s", (_, format) => {
    expect(misrounded(format, roundToPosit)).toBeUndefined();
  });

  test.each(Object.keys(wrongRoundings))("and a rounding %s is refuted", (name) => {
    // Where the ends have fractions, neighbours are parted by their mean.
    const format = boundedPosit(8);
    expect(misrounded(format, present(wrongRoundings[name], name))).toBeDefined();
  });

  test("b-posits lie between 2⁻¹⁹² and 2¹⁹², which are none, and have 1 as all posits do", () => {
    for (const width of [13, 16, 32, 64]) {
      const format = boundedPosit(width);
      const last = 1n << BigInt(width - 12);
      expect(positValue(format, 1n)).toEqual(rationalOf(last + 1n, last << 192n));
      const most = rationalOf((2n * last - 1n) << 191n, last);
      expect(positValue(format, greatestCode(format))).toEqual(most);
      expect(roundToPosit(format, read("0x1p192"))).toBe(greatestCode(format));
      expect(roundToPosit(format, read("0x1p-192"))).toBe(1n);
      expect(roundToPosit(format, exact.one)).toBe(1n << BigInt(width - 2));
    }
  });

  test("of 16 bits have four fraction bits at least, and the codes of these numbers", () => {
    const format = boundedPosit(16);
    const codes = ["1", "2", "1/3", "-2.5", "0x1p160", "0x1.1p191", "0x1p-160", "0x1.1p-192"].map((text) =>
      unsigned(format, roundToPosit(format, read(text))),
    );
    expect(codes).toEqual(["4000", "4100", "3e55", "bec0", "7e00", "7ff1", "0200", "0001"]);
  });
});

describe("a format", () => {
  test("has a width from 3 to 64", () => {
    for (const width of [3, 8, 17, 64]) expect(checkPositFormat(standardPosit(width)).ok).toBe(true);
    expect([LEAST_WIDTH, GREATEST_WIDTH]).toEqual([3, 64]);
    for (const width of [2, 65, 0, -8, 8.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      const given = checkPositFormat(standardPosit(width));
      expect(given.ok ? undefined : given.error).toMatchObject({
        code: "posit/width",
        hint: expect.stringContaining("3 to 64"),
      });
    }
  });

  test("has regimes that fit, and numbers up to 2²⁵⁶", () => {
    const wrong: readonly PositFormat[] = [
      { width: 16, regimeBits: 0, exponentBits: 2 },
      { width: 16, regimeBits: 16, exponentBits: 2 },
      { width: 16, regimeBits: 6, exponentBits: -1 },
      { width: 16, regimeBits: 6, exponentBits: 6 },
      { width: 64, regimeBits: 63, exponentBits: 5 },
    ];
    for (const format of wrong)
      expect(checkPositFormat(format)).toMatchObject({ ok: false, error: { code: "posit/format" } });
    expect(checkPositFormat({ width: 16, regimeBits: 15, exponentBits: 4 }).ok).toBe(true);
  });

  test("is read by the name that it has", () => {
    const all = [standardPosit(16), boundedPosit(16), boundedPosit(6), ...bounded];
    for (const format of all)
      expect(positFormatNamed(positName(format))).toEqual({ ok: true, value: format });
    expect(all.slice(0, 2).map(positName)).toEqual(["posit16", "bposit16"]);
    expect(positFormatNamed("posit16r6e5")).toEqual({ ok: true, value: boundedPosit(16) });
    expect(positFormatNamed("bposit16r6e5")).toBeUndefined();
    expect(positFormatNamed("posit")).toBeUndefined();
    expect(positFormatNamed("bposit65")).toMatchObject({ ok: false, error: { code: "posit/width" } });
  });
});
