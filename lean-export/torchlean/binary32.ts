import { type Rational, rationalFromNumber } from "../../reference/index.ts";

/** The bits of a binary32 number, as a Lean literal. */
type Bits = string;

/**
 * Returns the ends of the least interval of finite binary32 numbers around some numbers; beyond the greatest
 * finite number the greatest stands, which does not enclose it. Law: an end is the number itself if it has 32
 * bits, and else a neighbour of it.
 */
export function binary32Around(numbers: readonly Rational[]): { readonly low: Bits; readonly high: Bits } {
  const ends = numbers.map((x) => ({ low: below(x), high: 0 - below(negated(x)) }));
  const low = ends.reduce((least, end) => Math.min(least, end.low), Number.POSITIVE_INFINITY);
  const high = ends.reduce((most, end) => Math.max(most, end.high), Number.NEGATIVE_INFINITY);
  return numbers.length === 0 ? { low: bits(0), high: bits(0) } : { low: bits(low), high: bits(high) };
}

function negated({ numerator, denominator }: Rational): Rational {
  return { numerator: -numerator, denominator };
}

/** Returns the greatest binary32 number that is no greater. */
function below(x: Rational): number {
  const near = Math.fround(Number(x.numerator) / Number(x.denominator));
  const around = [-1, 0, 1].map((step) => neighbour(near, step)).filter(Number.isFinite);
  const low = around.filter((y) => !isLess(x, rationalFromNumber(y)));
  return low.length === 0 ? -LARGEST : Math.max(...low);
}

const LARGEST = (2 - 2 ** -23) * 2 ** 127;

function isLess(x: Rational, y: Rational): boolean {
  return x.numerator * y.denominator < y.numerator * x.denominator;
}

/** Returns the number so many places further in the order of binary32. */
function neighbour(x: number, steps: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, x);
  const own = view.getInt32(0);
  const place = (own < 0 ? -(own & 0x7fffffff) : own) + steps;
  view.setInt32(0, place < 0 ? -place | 0x80000000 : place);
  return view.getFloat32(0);
}

function bits(x: number): Bits {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, x);
  return `0x${view.getUint32(0).toString(16).padStart(8, "0")}`;
}
