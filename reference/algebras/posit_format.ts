import { oneBitMore, type PositFormat, positReach } from "../../spec/wire/index.ts";
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

/** Returns the code of NaR, "not a real": 10…0, the least. */
export function notReal({ width }: PositFormat): Posit {
  return -(1n << BigInt(width - 1));
}

/** Returns the code of the greatest posit: 01…1. The least positive one has code 1. */
export function greatestCode({ width }: PositFormat): Posit {
  return (1n << BigInt(width - 1)) - 1n;
}

/**
 * Returns a code's value [Posit Standard (2022), 3.3]: behind the sign, k equal bits and the one that ends
 * them tell r = k − 1 or −k; as many as a regime has at most need no such bit. The exponent e (missing bits
 * are 0) and the fraction f follow: 2^(2^eS r + e) (1 + f).
 */
export function dyadicOf(format: PositFormat, code: Posit): Dyadic {
  if (code === 0n) return { significand: 0n, exponent: 0 };
  if (code < 0n) {
    const { significand, exponent } = dyadicOf(format, -code);
    return { significand: -significand, exponent };
  }
  const { width, regimeBits, exponentBits } = format;
  const bits = code.toString(2).padStart(width - 1, "0");
  const isOnes = bits.startsWith("1");
  const equal = isOnes ? bits.concat("0").indexOf("0") : bits.indexOf("1");
  const run = Math.min(equal, regimeBits);
  const rest = bits.slice(run < regimeBits ? run + 1 : run);
  const regime = isOnes ? run - 1 : -run;
  const exponent = Number.parseInt(`0${rest.slice(0, exponentBits).padEnd(exponentBits, "0")}`, 2);
  const fraction = rest.slice(exponentBits);
  return {
    significand: BigInt(`0b1${fraction}`),
    exponent: 2 ** exponentBits * regime + exponent - fraction.length,
  };
}

/** Returns the number that a code stands for; of NaR the element without value. */
export function positValue(format: PositFormat, code: Posit): Rational {
  if (code === notReal(format)) return undefinedRational;
  const { significand, exponent } = dyadicOf(format, code);
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
export function roundToPosit(format: PositFormat, x: Rational): Posit {
  if (x.denominator === 0n) return notReal(format);
  if (x.numerator === 0n) return 0n;
  if (x.numerator < 0n) {
    const { numerator, denominator } = x;
    return -roundToPosit(format, { numerator: -numerator, denominator });
  }
  const scale = floorLog2(x);
  const [reach, greatest] = [positReach(format), greatestCode(format)];
  if (scale >= reach) return greatest;
  if (scale < -reach) return 1n;
  const lower = truncated(format, x, scale);
  if (lower === 0n || lower === greatest) return lower === 0n ? 1n : greatest;
  const order = compareRationals(x, positValue(oneBitMore(format), 2n * lower + 1n));
  return order === 1 || (order === 0 && lower % 2n !== 0n) ? lower + 1n : lower;
}

/** Returns the code of the greatest posit up to `x`, from 2^scale to below 2^(scale + 1): its bits, cut. */
function truncated({ width, regimeBits, exponentBits }: PositFormat, x: Rational, scale: number): Posit {
  const regime = Math.floor(scale / 2 ** exponentBits);
  const run = regime >= 0 ? regime + 1 : -regime;
  const equal = regime >= 0 ? (1n << BigInt(run)) - 1n : 0n;
  // The bit that ends a run is unlike it.
  const isEnded = run < regimeBits;
  const field = isEnded ? (equal << 1n) | (regime >= 0 ? 0n : 1n) : equal;
  const normal = scaled(x.numerator, width - scale);
  // As many fraction bits as no posit of this width has.
  const fraction = normal.numerator / (normal.denominator * x.denominator) - (1n << BigInt(width));
  const exponent = BigInt(scale - 2 ** exponentBits * regime);
  const bits = (((field << BigInt(exponentBits)) | exponent) << BigInt(width)) | fraction;
  return bits >> BigInt(run + (isEnded ? 1 : 0) + exponentBits + 1);
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
