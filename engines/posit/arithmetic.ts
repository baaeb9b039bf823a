import { doubleToPosit, positToDouble } from "./rounding.ts";

/** A code of at most 32 bits in two's complement. NaR is −2ⁿ⁻¹, and comparing codes compares posits. */
export type PositCode = number;

/** Posits of one width, without big integers: every operation is the exact result rounded once. */
export interface PositArithmetic {
  readonly width: number;
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

/** Up to this width posits have 24 bits and thresholds 25, so that a double's 53 bits decide any result. */
const GREATEST_PLAIN = 28;

/** Splitting with these factors keeps so many of a double's 53 bits [Dekker 1971]. */
const KEEPING_14 = 2 ** 39 + 1;
const KEEPING_16 = 2 ** 37 + 1;
const KEEPING_32 = 2 ** 21 + 1;

/** Rounds `x` to as many bits as `factor` keeps. */
function shortened(x: number, factor: number): number {
  const wide = x * factor;
  return wide - (wide - x);
}

/**
 * Makes arithmetic on posits of 3 to 32 bits. Doubles hold them exactly, and of each result a double and the
 * sign of what it lacks. Law: the codes of the reference's posits. Cost: some ten operations each; a table up
 * to 16 bits.
 */
export function positArithmetic(width: number): PositArithmetic {
  const notReal = -(2 ** (width - 1));
  const toNumber = numbersOf(width);
  return {
    width,
    notReal,
    toNumber,
    fromNumber: (x) => doubleToPosit(width, x, 0),
    negative: (x) => (x === notReal ? x : -x),
    floor: (x) => doubleToPosit(width, Math.floor(toNumber(x)), 0),
    ...(width <= GREATEST_PLAIN ? plain(width, toNumber) : careful(width, toNumber)),
  };
}

type FieldOperations = Pick<PositArithmetic, "add" | "subtract" | "multiply" | "divide" | "sqrt">;

/**
 * Operates where a double rounded to the nearest lies on a threshold only if the exact result does. With p
 * significant bits and thresholds of p + 1, quotients differ from one by at least 2^−(2p + 1), roots by half
 * of 2^−(2p + 2) of themselves; products have 2p bits; sums have 2p + 2, or lie on the side of their greater
 * term. 53 bits decide that for p ≤ 24 (after Figueroa, "When is double rounding innocuous?", 1995).
 */
function plain(width: number, toNumber: (x: PositCode) => number): FieldOperations {
  return {
    add: (x, y) => doubleToPosit(width, toNumber(x) + toNumber(y), 0),
    subtract: (x, y) => doubleToPosit(width, toNumber(x) - toNumber(y), 0),
    multiply: (x, y) => doubleToPosit(width, toNumber(x) * toNumber(y), 0),
    divide: (x, y) => doubleToPosit(width, toNumber(x) / toNumber(y), 0),
    sqrt: (x) => doubleToPosit(width, Math.sqrt(toNumber(x)), 0),
  };
}

/** Operates where it does not, with the sign of what the double leaves out. */
function careful(width: number, toNumber: (x: PositCode) => number): FieldOperations {
  const sum = (a: number, b: number): PositCode => {
    const nearest = a + b;
    const added = nearest - a;
    return doubleToPosit(width, nearest, a - (nearest - added) + (b - added));
  };
  const product = (a: number, b: number): PositCode => {
    const high = shortened(a, KEEPING_14);
    const p = high * b;
    const q = (a - high) * b;
    const nearest = p + q;
    return doubleToPosit(width, nearest, q - (nearest - p));
  };
  return {
    add: (x, y) => sum(toNumber(x), toNumber(y)),
    subtract: (x, y) => sum(toNumber(x), -toNumber(y)),
    multiply: (x, y) => product(toNumber(x), toNumber(y)),
    divide: (x, y) => quotient(width, toNumber(x), toNumber(y)),
    sqrt: (x) => root(width, toNumber(x)),
  };
}

/**
 * Computes 32 bits of a/b and the sign of the remainder, whose terms are exact: factors of 32 and 14 bits
 * have products of 46. A threshold other than these 32 bits lies on one side of them and of the quotient.
 */
function quotient(width: number, a: number, b: number): PositCode {
  if (b === 0) return -(2 ** (width - 1));
  const nearest = shortened(a / b, KEEPING_32);
  const high = shortened(b, KEEPING_14);
  const remainder = a - nearest * high - nearest * (b - high);
  return doubleToPosit(width, nearest, b < 0 ? -remainder : remainder);
}

/** Computes 32 bits of √a and the sign of what is left of a, as for quotients. */
function root(width: number, a: number): PositCode {
  const nearest = shortened(Math.sqrt(a), KEEPING_32);
  const high = shortened(nearest, KEEPING_16);
  const low = nearest - high;
  return doubleToPosit(width, nearest, a - high * high - 2 * high * low - low * low);
}

/** Does what {@link positToDouble} does, from a table where that is small. */
function numbersOf(width: number): (code: PositCode) => number {
  if (width > GREATEST_TABLE) return (code) => positToDouble(width, code);
  const half = 2 ** (width - 1);
  const numbers = Float64Array.from({ length: 2 * half }, (_, place) => positToDouble(width, place - half));
  return (code) => numbers[code + half] ?? Number.NaN;
}
