import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { compareRationals, type Rational, rationalOf, undefinedRational } from "./rational.ts";

/**
 * The code of a posit of `n` bits as a two's-complement integer, from −2ⁿ⁻¹ to 2ⁿ⁻¹ − 1. Codes are ordered as
 * their values are, and the code of −x is the negated code of x [Posit Standard (2022), 3.3].
 */
export type Posit = bigint;

/** A posit that is not NaR, as an odd or even integer times a power of two; 0 is 0 · 2⁰. */
export interface Dyadic {
  readonly significand: bigint;
  readonly exponent: number;
}

/** The widths that posits are offered in. With fewer bits no regime ends, and nobody asks for more. */
export const LEAST_WIDTH = 3;
export const GREATEST_WIDTH = 64;

/** The exponent field has two bits in every width [Posit Standard (2022), 3.3]. */
const EXPONENT_BITS = 2;

/** Returns `width` if posits are offered in it. Fails: `posit/width`. */
export function positWidth(width: number): Result<number, Issue> {
  if (Number.isInteger(width) && width >= LEAST_WIDTH && width <= GREATEST_WIDTH) return ok(width);
  return fail({
    code: "posit/width",
    pointer: "",
    message: `there are no posits of ${width} bits.`,
    hint: `a width is an integer from ${LEAST_WIDTH} to ${GREATEST_WIDTH}: posit8, posit16, posit32 and posit64 have names in the standard`,
  });
}

/** Returns the code of NaR, "not a real": 10…0, the least. */
export function notReal(width: number): Posit {
  return -(1n << BigInt(width - 1));
}

/** Returns the code of the greatest posit, 2^(4n − 8). Its inverse is the least positive one, of code 1. */
export function greatestCode(width: number): Posit {
  return (1n << BigInt(width - 1)) - 1n;
}

/** Returns the exponent of the greatest posit. */
function greatestExponent(width: number): number {
  return 4 * width - 8;
}

/**
 * Returns a code's value [Posit Standard (2022), 3.3]: behind the sign, k equal bits and the one that ends
 * them tell r = k − 1 or −k. The exponent e (missing bits are 0) and the fraction f follow: 2^(4r + e) (1 +
 * f).
 */
export function dyadicOf(width: number, code: Posit): Dyadic {
  if (code === 0n) return { significand: 0n, exponent: 0 };
  if (code < 0n) {
    const { significand, exponent } = dyadicOf(width, -code);
    return { significand: -significand, exponent };
  }
  const bits = code.toString(2).padStart(width - 1, "0");
  const run = bits.startsWith("1") ? bits.concat("0").indexOf("0") : bits.indexOf("1");
  const regime = bits.startsWith("1") ? run - 1 : -run;
  const rest = bits.slice(run + 1);
  const exponent = Number.parseInt(rest.slice(0, EXPONENT_BITS).padEnd(EXPONENT_BITS, "0"), 2);
  const fraction = rest.slice(EXPONENT_BITS);
  return { significand: BigInt(`0b1${fraction}`), exponent: 4 * regime + exponent - fraction.length };
}

/** Returns the number that a code stands for; of NaR the element without value. */
export function positValue(width: number, code: Posit): Rational {
  if (code === notReal(width)) return undefinedRational;
  const { significand, exponent } = dyadicOf(width, code);
  return scaled(significand, exponent);
}

/** Returns `significand · 2^exponent`. */
function scaled(significand: bigint, exponent: number): Rational {
  return exponent >= 0
    ? rationalOf(significand << BigInt(exponent), 1n)
    : rationalOf(significand, 1n << BigInt(-exponent));
}

/**
 * Returns the code of a number rounded once [Posit Standard (2022), 4.1]. Beyond the greatest posit it is
 * that, and below the least positive one it is that, never 0. Else it is the neighbour on the number's side
 * of the threshold, or the even one on it. The threshold is the posit of n + 1 bits with a 1 behind the lower
 * code.
 */
export function roundToPosit(width: number, x: Rational): Posit {
  if (x.denominator === 0n) return notReal(width);
  if (x.numerator === 0n) return 0n;
  if (x.numerator < 0n) return -roundToPosit(width, { ...x, numerator: -x.numerator });
  const scale = floorLog2(x);
  if (scale >= greatestExponent(width)) return greatestCode(width);
  if (scale < -greatestExponent(width)) return 1n;
  const lower = truncated(width, x, scale);
  const order = compareRationals(x, positValue(width + 1, 2n * lower + 1n));
  return order === 1 || (order === 0 && lower % 2n !== 0n) ? lower + 1n : lower;
}

/** Returns the code of the greatest posit up to `x`, from 2^scale to below 2^(scale + 1): its bits, cut. */
function truncated(width: number, x: Rational, scale: number): Posit {
  const regime = Math.floor(scale / 4);
  const [run, runLength] = regime >= 0 ? [(1n << BigInt(regime + 2)) - 2n, regime + 2] : [1n, 1 - regime];
  const normal = scaled(x.numerator, width - scale);
  // As many fraction bits as no posit of this width has.
  const fraction = normal.numerator / (normal.denominator * x.denominator) - (1n << BigInt(width));
  const exponent = BigInt(scale - 4 * regime);
  const bits = (((run << BigInt(EXPONENT_BITS)) | exponent) << BigInt(width)) | fraction;
  return bits >> BigInt(runLength + EXPONENT_BITS + 1);
}

/** Returns `⌊log₂ x⌋` of a positive number. */
function floorLog2({ numerator, denominator }: Rational): number {
  const estimate = lengthOf(numerator) - lengthOf(denominator);
  const isLess =
    estimate >= 0
      ? numerator < denominator << BigInt(estimate)
      : numerator << BigInt(-estimate) < denominator;
  return isLess ? estimate - 1 : estimate;
}

/** Returns the bits of a positive integer. */
function lengthOf(x: bigint): number {
  const digits = x.toString(16);
  return 4 * digits.length - Math.clz32(Number.parseInt(digits.slice(0, 1), 16)) + 28;
}
