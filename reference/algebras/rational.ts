import type { Algebra, OrderedField } from "../../spec/shapes/index.ts";
import { parseFloat64 } from "../../spec/wire/index.ts";

/**
 * `numerator / denominator` in lowest terms with a positive denominator; `0/0` is the element without value,
 * which every operation on it returns (1/0 is it too).
 */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** The element without value. */
export const undefinedRational: Rational = { numerator: 0n, denominator: 0n };

/** Yes, no, or (of an element without value) `undefined`. */
export type MaybeTruth = boolean | undefined;

/** Returns `numerator / denominator` in lowest terms; without value where the denominator is 0. */
export function rationalOf(numerator: bigint, denominator: bigint): Rational {
  if (denominator === 1n) return { numerator, denominator };
  if (denominator === 0n) return undefinedRational;
  const divisor = greatestCommonDivisor(
    numerator < 0n ? -numerator : numerator,
    denominator < 0n ? -denominator : denominator,
  );
  const signed = denominator < 0n ? -divisor : divisor;
  return signed === 1n
    ? { numerator, denominator }
    : { numerator: numerator / signed, denominator: denominator / signed };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  // Doubles are dyadic, so most denominators are powers of two: common factors are the lowest bits.
  if ((b & (b - 1n)) === 0n && a !== 0n) {
    const lowest = a & -a;
    return lowest < b ? lowest : b;
  }
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** Returns the exact value of a finite double, a dyadic rational; none for NaN and the infinities. */
export function rationalFromNumber(x: number): Rational {
  if (!Number.isFinite(x)) return undefinedRational;
  let [scaled, exponent] = [x, 0];
  // A double is an integer times 2^-1074 or more. Exact doubling reaches an odd integer first.
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    exponent += 1;
  }
  return { numerator: BigInt(scaled), denominator: 1n << BigInt(exponent) };
}

/** Returns −1, 0 or 1 as `x < y`, `x = y` or `x > y`; `undefined` if either has no value. */
export function compareRationals(x: Rational, y: Rational): -1 | 0 | 1 | undefined {
  if (x.denominator === 0n || y.denominator === 0n) return undefined;
  const difference = x.numerator * y.denominator - y.numerator * x.denominator;
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** Returns `⌊x⌋`. BigInt division truncates, which is one too much for a negative fraction. */
function floorRational({ numerator, denominator }: Rational): Rational {
  if (denominator === 0n) return undefinedRational;
  const towardsZero = numerator / denominator;
  const isNegativeFraction = numerator < 0n && towardsZero * denominator !== numerator;
  return { numerator: isNegativeFraction ? towardsZero - 1n : towardsZero, denominator: 1n };
}

/** Returns `x + y`, of which `y` has the greater denominator. */
function sumOf(x: Rational, y: Rational): Rational {
  if (x.denominator === y.denominator) return rationalOf(x.numerator + y.numerator, x.denominator);
  if (x.denominator === 0n) return undefinedRational;
  // Of two powers of two the greater is a multiple, and a common denominator as it stands.
  const factor = y.denominator / x.denominator;
  return factor * x.denominator === y.denominator
    ? rationalOf(x.numerator * factor + y.numerator, y.denominator)
    : rationalOf(x.numerator * y.denominator + y.numerator * x.denominator, x.denominator * y.denominator);
}

const operations: OrderedField<Rational, MaybeTruth> = {
  zero: { numerator: 0n, denominator: 1n },
  one: { numerator: 1n, denominator: 1n },
  add: (x, y) => (x.denominator < y.denominator ? sumOf(x, y) : sumOf(y, x)),
  detach: (x) => x,
  multiply: (x, y) => rationalOf(x.numerator * y.numerator, x.denominator * y.denominator),
  literal: rationalFromNumber,
  negative: (x) => ({ numerator: -x.numerator, denominator: x.denominator }),
  divide: (x, y) =>
    x.denominator === 0n || y.denominator === 0n
      ? undefinedRational
      : rationalOf(x.numerator * y.denominator, x.denominator * y.numerator),
  less: (x, y) => {
    const order = compareRationals(x, y);
    return order === undefined ? undefined : order < 0;
  },
  equal: (x, y) => {
    const order = compareRationals(x, y);
    return order === undefined ? undefined : order === 0;
  },
  select: (condition, x, y) => (condition === undefined ? undefinedRational : condition ? x : y),
  floor: floorRational,
};

/** The rational numbers, exactly: an ordered field, in which every law holds to equality [SEMANTICS §7.1]. */
export const rational: Algebra<Rational, MaybeTruth> = {
  name: "rational",
  additive: operations,
  levels: {
    additive: operations,
    semiring: operations,
    ring: operations,
    field: operations,
    real: undefined,
    ordered: operations,
    orderedField: operations,
    orderedReal: undefined,
  },
  isSame: (x, y) => x.numerator === y.numerator && x.denominator === y.denominator,
  format: formatRational,
  parse: parseRational,
};

/** Returns `p/q`, or `p` where q is 1, or `undefined`. */
export function formatRational(x: Rational): string {
  if (x.denominator === 0n) return "undefined";
  return x.denominator === 1n ? x.numerator.toString() : `${x.numerator}/${x.denominator}`;
}

const quotient = /^([+-]?[0-9]+)(?:\/([0-9]+))?$/;
const decimal = /^([+-]?)([0-9]*)\.?([0-9]*)(?:e([+-]?[0-9]+))?$/i;
const hexadecimal = /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)(?:p([+-]?[0-9]+))?$/i;

/** Beyond this an exponent asks for more memory than a number is worth. */
const MAXIMUM_EXPONENT = 9999;

/**
 * Reads `p`, `p/q`, `undefined`, decimals and hexadecimal floats with an optional exponent, all exactly.
 * Infinities and `nan` have no value here. An exponent over {@link MAXIMUM_EXPONENT} is not read.
 */
function parseRational(text: string): Rational | undefined {
  if (text === "undefined") return undefinedRational;
  const fraction = quotient.exec(text);
  if (fraction) return rationalOf(BigInt(fraction[1] ?? "0"), BigInt(fraction[2] ?? "1"));
  const hex = hexadecimal.exec(text);
  if (hex) return parseScaled(hex, "0x", 2n, 4);
  const tens = decimal.exec(text);
  if (tens) return parseScaled(tens, "", 10n, 1);
  return parseFloat64(text) === undefined ? undefined : undefinedRational;
}

/** Returns `± whole.part · baseᵉ`, where a digit of the part is `perDigit` powers of the base. */
function parseScaled(
  [, sign = "", whole = "", part = "", exponent = "0"]: RegExpExecArray,
  prefix: "" | "0x",
  base: bigint,
  perDigit: number,
): Rational | undefined {
  if (`${whole}${part}` === "" || Math.abs(Number(exponent)) > MAXIMUM_EXPONENT) return undefined;
  const magnitude = BigInt(`${prefix}${whole}${part}`);
  const digits = sign === "-" ? -magnitude : magnitude;
  const shift = Number(exponent) - perDigit * part.length;
  return shift >= 0
    ? rationalOf(digits * base ** BigInt(shift), 1n)
    : rationalOf(digits, base ** BigInt(-shift));
}
