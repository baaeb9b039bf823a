import { doubleToPosit, positToDouble } from "./rounding.ts";

/** Codes of at most 32 bits, as two's-complement integers: NaR is −2ⁿ⁻¹, and comparing codes compares posits. */
export type PositCode = number;

/** Posits of one width, without big integers: every operation is the exact result rounded once. */
export interface PositArithmetic {
  readonly width: number;
  readonly notReal: PositCode;
  /** The number that a code stands for, exactly; NaN for NaR. */
  toNumber(x: PositCode): number;
  /** A double rounded once; NaR of NaN and of the infinities. */
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

/** Widths up to this have at most 24 significant bits, and thresholds 25: twice that, and a double's 53 bits say where a result lies. */
const GREATEST_PLAIN = 28;

/** A float times this, minus what that is too much, keeps so many of its 53 bits (Dekker, "A floating-point technique", 1971). */
const KEEPING_14 = 2 ** 39 + 1;
const KEEPING_16 = 2 ** 37 + 1;
const KEEPING_32 = 2 ** 21 + 1;

/** `x` to the nearest number of fewer bits, as many as `factor` keeps. */
function shortened(x: number, factor: number): number {
  const wide = x * factor;
  return wide - (wide - x);
}

/**
 * Arithmetic on posits of a width from 3 to 32: doubles hold them exactly, and of each operation's result a double and the sign of what
 * is missing from it. Law: the codes of the reference's posits. Cost: some ten operations on doubles each; a table of 2ⁿ numbers up to 16 bits.
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
 * Where a double rounded to the nearest lies on a threshold only if the exact result does. With p significant bits and thresholds of p + 1, a quotient is at
 * least 2^−(2p + 1) of itself from one, and a root half of 2^−(2p + 2); products have 2p bits; and a sum has 2p + 2, or is so near its greater
 * term, which is on no threshold, that it lies on the same side. For p ≤ 24 that is what 53 bits tell apart (after Figueroa, "When is
 * double rounding innocuous?", 1995).
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

/** Where it does not: with the sign of what the double leaves out. */
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
 * a/b: 32 bits of it, and the sign of the remainder, whose terms are exact because factors of 32 and 14 bits have products of 46. A
 * threshold that is not these 32 bits lies on one side of them and of the quotient.
 */
function quotient(width: number, a: number, b: number): PositCode {
  if (b === 0) return -(2 ** (width - 1));
  const nearest = shortened(a / b, KEEPING_32);
  const high = shortened(b, KEEPING_14);
  const remainder = a - nearest * high - nearest * (b - high);
  return doubleToPosit(width, nearest, b < 0 ? -remainder : remainder);
}

/** √a: 32 bits of it, and the sign of what is left of a, as for quotients. */
function root(width: number, a: number): PositCode {
  const nearest = shortened(Math.sqrt(a), KEEPING_32);
  const high = shortened(nearest, KEEPING_16);
  const low = nearest - high;
  return doubleToPosit(width, nearest, a - high * high - 2 * high * low - low * low);
}

/** {@link positToDouble}, from a table where that is small. */
function numbersOf(width: number): (code: PositCode) => number {
  if (width > GREATEST_TABLE) return (code) => positToDouble(width, code);
  const half = 2 ** (width - 1);
  const numbers = Float64Array.from({ length: 2 * half }, (_, place) => positToDouble(width, place - half));
  return (code) => numbers[code + half] ?? Number.NaN;
}
