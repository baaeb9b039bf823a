import { InvariantError } from "../../spec/shapes/index.ts";
import { type PositFormat, positName } from "../../spec/wire/index.ts";
import { doubleToPosit, layoutOf, type PositLayout, positToDouble } from "./rounding.ts";

/** A code of at most 32 bits in two's complement. NaR is −2ⁿ⁻¹, and comparing codes compares posits. */
export type PositCode = number;

/** Posits of one format, without big integers: every operation is the exact result rounded once. */
export interface PositArithmetic {
  readonly format: PositFormat;
  readonly notReal: PositCode;
  /** Returns the exact number of a code; NaN for NaR. */
  toNumber(x: PositCode): number;
  /** Rounds a double once; NaR for NaN and the infinities. */
  fromNumber(x: number): PositCode;
  add(x: PositCode, y: PositCode): PositCode;
  subtract(x: PositCode, y: PositCode): PositCode;
  multiply(x: PositCode, y: PositCode): PositCode;
  divide(x: PositCode, y: PositCode): PositCode;
  sqrt(x: PositCode): PositCode;
  negative(x: PositCode): PositCode;
  floor(x: PositCode): PositCode;
}

/** Widths up to this have a table of all their numbers. */
const GREATEST_TABLE = 16;

/** With up to 24 significant bits, and 25 of thresholds, a double's 53 bits decide any result. */
const GREATEST_PLAIN = 24;

/** Splitting with these factors keeps so many of a double's 53 bits [Dekker 1971]. */
const KEEPING_14 = 2 ** 39 + 1;
const KEEPING_16 = 2 ** 37 + 1;
const KEEPING_32 = 2 ** 21 + 1;

/** Rounds `x` to as many bits as `factor` keeps. */
function shortened(x: number, factor: number): number {
  const wide = x * factor;
  return wide - (wide - x);
}

/** Returns the most significant bits that posits of a format have: near 1, where regimes are shortest. */
export function significantBits({ width, regimeBits, exponentBits }: PositFormat): number {
  return Math.max(1, width - Math.min(2, regimeBits) - exponentBits);
}

/**
 * Makes arithmetic on posits of 3 to 32 bits, of which 28 are significant at most. Doubles hold them exactly,
 * and of each result a double and the sign of what it lacks. Law: the codes of the reference's posits. Cost:
 * some ten operations each; a table up to 16 bits. Throws {@link InvariantError} for another format.
 */
export function positArithmetic(format: PositFormat): PositArithmetic {
  const significant = significantBits(format);
  if (format.width > 32 || significant > 28) throw new InvariantError(`doubles for ${positName(format)}`);
  const layout = layoutOf(format);
  const notReal = -(2 ** (format.width - 1));
  const toNumber = numbersOf(layout);
  return {
    format,
    notReal,
    toNumber,
    fromNumber: (x) => doubleToPosit(layout, x, 0),
    negative: (x) => (x === notReal ? x : -x),
    floor: (x) => doubleToPosit(layout, Math.floor(toNumber(x)), 0),
    ...(significant <= GREATEST_PLAIN ? plain(layout, toNumber) : careful(layout, toNumber)),
  };
}

type FieldOperations = Pick<PositArithmetic, "add" | "subtract" | "multiply" | "divide" | "sqrt">;

/**
 * Operates where a double rounded to the nearest lies on a threshold only if the exact result does. With p
 * significant bits and thresholds of p + 1, quotients differ from one by at least 2^−(2p + 1), roots by half
 * of 2^−(2p + 2) of themselves; products have 2p bits; sums have 2p + 2, or lie on the side of their greater
 * term. 53 bits decide that for p ≤ 24 (after Figueroa, "When is double rounding innocuous?", 1995).
 */
function plain(layout: PositLayout, toNumber: (x: PositCode) => number): FieldOperations {
  return {
    add: (x, y) => doubleToPosit(layout, toNumber(x) + toNumber(y), 0),
    subtract: (x, y) => doubleToPosit(layout, toNumber(x) - toNumber(y), 0),
    multiply: (x, y) => doubleToPosit(layout, toNumber(x) * toNumber(y), 0),
    divide: (x, y) => doubleToPosit(layout, toNumber(x) / toNumber(y), 0),
    sqrt: (x) => doubleToPosit(layout, Math.sqrt(toNumber(x)), 0),
  };
}

/** Operates where it does not, with the sign of what the double leaves out. */
function careful(layout: PositLayout, toNumber: (x: PositCode) => number): FieldOperations {
  const sum = (a: number, b: number): PositCode => {
    const nearest = a + b;
    const added = nearest - a;
    return doubleToPosit(layout, nearest, a - (nearest - added) + (b - added));
  };
  const product = (a: number, b: number): PositCode => {
    const high = shortened(a, KEEPING_14);
    const p = high * b;
    const q = (a - high) * b;
    const nearest = p + q;
    return doubleToPosit(layout, nearest, q - (nearest - p));
  };
  return {
    add: (x, y) => sum(toNumber(x), toNumber(y)),
    subtract: (x, y) => sum(toNumber(x), -toNumber(y)),
    multiply: (x, y) => product(toNumber(x), toNumber(y)),
    divide: (x, y) => quotient(layout, toNumber(x), toNumber(y)),
    sqrt: (x) => root(layout, toNumber(x)),
  };
}

/**
 * Computes 32 bits of a/b and the sign of the remainder, whose terms are exact: factors of 32 and 14 bits
 * have products of 46. A threshold other than these 32 bits lies on one side of them and of the quotient.
 */
function quotient(layout: PositLayout, a: number, b: number): PositCode {
  if (b === 0) return -(2 ** (layout.width - 1));
  const nearest = shortened(a / b, KEEPING_32);
  const high = shortened(b, KEEPING_14);
  const remainder = a - nearest * high - nearest * (b - high);
  return doubleToPosit(layout, nearest, b < 0 ? -remainder : remainder);
}

/** Computes 32 bits of √a and the sign of what is left of a, as for quotients. */
function root(layout: PositLayout, a: number): PositCode {
  const nearest = shortened(Math.sqrt(a), KEEPING_32);
  const high = shortened(nearest, KEEPING_16);
  const low = nearest - high;
  return doubleToPosit(layout, nearest, a - high * high - 2 * high * low - low * low);
}

/** Does what {@link positToDouble} does, from a table where that is small. */
function numbersOf(layout: PositLayout): (code: PositCode) => number {
  if (layout.width > GREATEST_TABLE) return (code) => positToDouble(layout, code);
  const half = 2 ** (layout.width - 1);
  const numbers = Float64Array.from({ length: 2 * half }, (_, place) => positToDouble(layout, place - half));
  return (code) => numbers[code + half] ?? Number.NaN;
}
