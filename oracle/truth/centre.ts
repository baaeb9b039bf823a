import {
  compareRationals,
  float64,
  type MaybeTruth,
  type Rational,
  rational,
  rationalFromNumber,
  rationalOf,
} from "../../reference/index.ts";
import type { Algebra } from "../../spec/index.ts";

/**
 * What a bound is drawn around: a carrier with exact or nearly exact arithmetic. Its elements have a size
 * that floats can hold, and an error of their own.
 */
export interface Centre<C, B> {
  readonly algebra: Algebra<C, B>;
  /** A float next to `c`, with a relative error below 2⁻⁵⁰; NaN where `c` has no value. */
  approximate(c: C): number;
  /** `a − b`, nearly: with a relative error below 2⁻⁵⁰; NaN where one has no value. */
  difference(a: C, b: C): number;
  /** Half way between `a` and `b`, up to the centre's own rounding. */
  midpoint(a: C, b: C): C;
  /** The element for a float, exactly. */
  fromNumber(x: number): C;
  /** The relative error of one operation of the centre's own arithmetic. */
  readonly unitRoundoff: number;
  /** The largest absolute error of an operation of the centre that underflows. */
  readonly underflow: number;
  /** What a comparison says, where elements without a value compare as false. */
  isTrue(b: B): boolean;
}

/** Covers the roundings of a handful of float operations that compute a bound. */
export const UPWARDS: number = 1 + 2 ** -48;

/** A float next to `q`, with a relative error below 2⁻⁵¹. */
export function approximateRational({ numerator, denominator }: Rational): number {
  const direct = Number(numerator) / Number(denominator);
  if (Number.isFinite(direct) && Math.abs(direct) > 2 ** -1000) return direct;
  if (numerator === 0n) return denominator === 0n ? Number.NaN : 0;
  // Beyond the range of Number(): keep 64 leading bits of each, and scale the quotient.
  const lead = (x: bigint): { top: number; shift: number } => {
    const shift = Math.max(0, (x < 0n ? -x : x).toString(2).length - 64);
    return { top: Number(x >> BigInt(shift)), shift };
  };
  const [top, bottom] = [lead(numerator), lead(denominator)];
  return (top.top / bottom.top) * 2 ** (top.shift - bottom.shift);
}

/** Exact centres: the rational numbers. */
export const exactCentre: Centre<Rational, MaybeTruth> = {
  algebra: rational,
  approximate: approximateRational,
  difference: (a, b) => approximateRational(subtractRationals(a, b)),
  midpoint: (a, b) =>
    rationalOf(a.numerator * b.denominator + b.numerator * a.denominator, 2n * a.denominator * b.denominator),
  fromNumber: rationalFromNumber,
  unitRoundoff: 0,
  underflow: 0,
  isTrue: (b) => b === true,
};

/** Centres in float64, which carry the reference's own rounding. */
export const floatCentre: Centre<number, boolean> = {
  algebra: float64,
  approximate: (x) => x,
  difference: (a, b) => a - b,
  midpoint: (a, b) => a / 2 + b / 2,
  fromNumber: (x) => x,
  unitRoundoff: 2 ** -53,
  underflow: 2 ** -1074,
  isTrue: (b) => b,
};

/** Whether `|answer − q| ≤ bound`, decided exactly. */
export function isWithin(answer: number, q: Rational, bound: number): boolean {
  const difference = subtractRationals(rationalFromNumber(answer), q);
  const size = difference.numerator < 0n ? { ...difference, numerator: -difference.numerator } : difference;
  const order = compareRationals(size, rationalFromNumber(bound));
  return order !== undefined && order <= 0;
}

function subtractRationals(x: Rational, y: Rational): Rational {
  return rationalOf(x.numerator * y.denominator - y.numerator * x.denominator, x.denominator * y.denominator);
}
