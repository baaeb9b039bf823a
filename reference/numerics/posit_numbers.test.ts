import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  boundedPosit,
  formats,
  oneBitMore,
  type PositFormat,
  type PositType,
  positFormats,
  positName,
  positTypes,
  present,
  standardPosit,
} from "../../spec/index.ts";
import { largestPosit, roundToPositNumber, taperOf } from "../../spec/wire/posit_format.ts";
import { floats } from "../algebras/float.ts";
import { dyadicOf, greatestCode, notReal, type Posit, roundToPosit } from "../algebras/posit_format.ts";
import { rationalFromNumber } from "../algebras/rational.ts";
import { posit } from "./posit.ts";

function numberOf(format: PositFormat, code: Posit): number {
  if (code === notReal(format)) return Number.NaN;
  const { significand, exponent } = dyadicOf(format, code);
  return Number(significand) * 2 ** exponent;
}

/** Returns positive codes: all of them, or of wide posits those at both ends and some between. */
function codesOf(format: PositFormat): Posit[] {
  const greatest = Number(greatestCode(format));
  if (format.width <= 12) return Array.from({ length: greatest }, (_, n) => BigInt(n + 1));
  const ends = Array.from({ length: 200 }, (_, n) => [n + 1, greatest - n]).flat();
  const between = Array.from({ length: 2000 }, (_, n) => 1 + Math.floor(((n + 0.5) / 2000) * greatest));
  return [...ends, ...between].map(BigInt);
}

/** Yields a posit, the threshold above it, and what lies on, below and above these. */
function* beside(format: PositFormat): Generator<number> {
  for (const code of codesOf(format)) {
    for (const x of [numberOf(format, code), numberOf(oneBitMore(format), 2n * code + 1n)])
      yield* [x, x * (1 + 2 ** -50), x * (1 - 2 ** -50)];
  }
}

/** Returns a number that is rounded otherwise than the definition does. */
function misrounded(format: PositFormat, round: (x: number) => number): number | undefined {
  for (const x of beside(format)) {
    for (const y of [x, -x])
      if (round(y) !== numberOf(format, roundToPosit(format, rationalFromNumber(y)))) return y;
  }
  return undefined;
}

const all: readonly PositFormat[] = [
  ...[3, 4, 5, 6, 7, 8, 12, 16, 28, 32].map(standardPosit),
  ...[8, 12, 32].map(boundedPosit),
  { width: 8, regimeBits: 2, exponentBits: 2 },
  { width: 10, regimeBits: 7, exponentBits: 0 },
  { width: 9, regimeBits: 8, exponentBits: 3 },
];

describe.each(
  all.map((format) => [positName(format), format] as const),
)("%s, rounded in doubles,", (_, format) => {
  test("is that of the definition beside every posit and every threshold", () => {
    expect(misrounded(format, (x) => roundToPositNumber(format, x))).toBeUndefined();
  });

  test("are others where ties go up, or the mean parts neighbours that have no room for an exponent", () => {
    const round = (x: number): number => roundToPositNumber(format, x);
    const up = (x: number): number =>
      Math.abs(round(x)) < Math.abs(x) ? round(x * (1 + 2 ** -40)) : round(x);
    expect(misrounded(format, up)).not.toBeUndefined();
    const byMean = (x: number): number => {
      const all = [x, x / 2, x / 4, x / 8].map(round);
      return all.reduce((near, other) => (Math.abs(other - x) < Math.abs(near - x) ? other : near));
    };
    // Where the ends have room for all of the exponent, the threshold is the mean.
    const isMean = format.width - 1 - format.regimeBits >= format.exponentBits;
    expect(misrounded(format, byMean) === undefined).toBe(isMean);
  });

  test("are moved by as much as is said, and by no more", () => {
    const { errorUpTo, gapUpTo } = taperOf(format);
    let isReached = false;
    for (const x of beside(format)) {
      if (x > largestPosit(format)) continue;
      const moved = Math.abs(roundToPositNumber(format, x) - x);
      const most = errorUpTo(x);
      if (!(moved <= most && most <= gapUpTo(x) && most <= errorUpTo(2 * x))) expect.fail(`${x}`);
      isReached ||= moved > 0.99 * errorUpTo(x);
    }
    expect(isReached).toBe(true);
  });
});

test("NaN, the infinities and zeros: NaR is NaN", () => {
  const special = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0];
  for (const dtype of positTypes) {
    expect(special.map(formats[dtype].round)).toEqual([Number.NaN, Number.NaN, Number.NaN, 0, -0]);
  }
});

describe.each(positTypes)("%s as numbers", (dtype: PositType) => {
  const format = positFormats[dtype];
  const made = posit(format);
  if (!made.ok) throw new Error(made.error.message);
  const byCodes = present(made.value.levels.orderedField, "the definition");
  const byNumbers = present(floats[dtype].levels.orderedField, "numbers");
  const code = fc.oneof(
    fc.bigInt({ min: notReal(format), max: greatestCode(format) }),
    fc.constantFrom(0n, 1n, -1n, notReal(format), greatestCode(format)),
  );

  test("add, multiply, divide and compare as the definition's codes do, NaR too", () => {
    fc.assert(
      fc.property(code, code, (x, y) => {
        const [a, b] = [numberOf(format, x), numberOf(format, y)];
        for (const name of ["add", "multiply", "divide"] as const)
          expect(byNumbers[name](a, b)).toBe(numberOf(format, byCodes[name](x, y)));
        for (const name of ["less", "equal"] as const)
          expect(byNumbers[name](a, b)).toBe(byCodes[name](x, y));
        expect(byNumbers.negative(a)).toBe(numberOf(format, byCodes.negative(x)));
        expect(byNumbers.floor(a)).toBe(numberOf(format, byCodes.floor(x)));
      }),
      { seed: 19, numRuns: 400 },
    );
  });

  test("take −0, which an engine may be given, for 0", () => {
    const { equal, less, negative } = byNumbers;
    expect([equal(-0, 0), less(-0, 0), less(0, -0), negative(0)]).toEqual([true, false, false, 0]);
  });

  test("have no value at the origin, and the ends of their range beyond that of float64", () => {
    const { exp, pow, atan2, sinh } = present(floats[dtype].levels.orderedReal, "functions");
    const { largest, smallest } = formats[dtype];
    expect([pow(0, 0), atan2(0, 0), pow(0, -1), exp(Number.NaN)]).toEqual(Array(4).fill(Number.NaN));
    expect([exp(2000), exp(-2000), sinh(-2000), pow(2, -3000)]).toEqual([
      largest,
      smallest,
      -largest,
      smallest,
    ]);
  });
});
