import { type Arena, DOWN, mpfr, UP } from "../../reference/algebras/mpfr.ts";
import { type Rational, rational, rationalFromNumber, rationalOf, step } from "../../reference/index.ts";
import type { Elementary } from "../../spec/operators/index.ts";
import { type Field, InvariantError } from "../../spec/shapes/index.ts";
import { type Ball, balls, floorOfBall, roundingOfBall, UNDERFLOWS, UPWARDS } from "./ball.ts";
import { type Enclosure, enclosuresIn, isKnown } from "./enclosure.ts";

/**
 * What a bound is drawn around: a carrier whose elements enclose the true value. How tightly is the centre's own
 * affair, and never the engine's.
 */
export interface Centre<C> {
  readonly name: string;
  readonly field: Field<C>;
  readonly real: Elementary<C> | undefined;
  /** Encloses the greatest integer that is not greater. */
  floor(c: C): C;
  /** Half way between `a` and `b`. */
  midpoint(a: C, b: C): C;
  /** A float next to the true value; NaN where `c` has none. */
  approximate(c: C): number;
  /** The truth is at most this far from {@link approximate}; not finite where nothing is known. */
  slack(c: C): number;
  /** {@link approximate} and {@link slack} in one go. */
  ball(c: C): Ball;
  /** How far a sum, or an operation that is off by so many ulps in float64, takes its result `c` from what it is of its operands. */
  drift(c: C, ulps: number): number;
  /** `c`, of which it is found that the truth is at most so far away. */
  closer(c: C, slack: number): C;
}

/** `a − b`. */
export function differenceOf<C>({ field }: Centre<C>, a: C, b: C): C {
  return field.add(a, field.negative(b));
}

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

/** How far the float next to `q` may be from it. */
function slackOfRational(q: Rational, near: number): number {
  return isFloat(q, near) ? 0 : Math.abs(near) * 2 ** -50 + UNDERFLOWS;
}

/** Whether `q` is the float next to it. Cost: of few digits or many, no more than reading them, but for what is subnormal. */
function isFloat(q: Rational, near: number): boolean {
  if (!Number.isFinite(near)) return false;
  if (q.denominator === 1n) return Number.isSafeInteger(near) || BigInt(near) === q.numerator;
  // In lowest terms: the denominator of a float is a power of two, so the numerator is odd, and has at most 53 digits.
  if (!Number.isSafeInteger(Number(q.numerator))) return false;
  if ((q.denominator & (q.denominator - 1n)) !== 0n) return false;
  return Math.abs(near) > 2 ** -1000 || rational.isSame(rationalFromNumber(near), q);
}

const { field: rationals, ordered: orderedRationals } = rational.levels;
if (rationals === undefined || orderedRationals === undefined) {
  throw new InvariantError("the rational numbers are an ordered field");
}
const half = rationalOf(1n, 2n);

/** The rational numbers, whose operations are slow enough to be steps of the clock's. */
const pacedRationals: Field<Rational> = {
  ...rationals,
  add: (x, y) => {
    step();
    return rationals.add(x, y);
  },
  multiply: (x, y) => {
    step();
    return rationals.multiply(x, y);
  },
};

/** The rational numbers: for graphs of field operations, which they compute exactly. */
export const exactCentre: Centre<Rational> = {
  name: rational.name,
  field: pacedRationals,
  real: undefined,
  floor: orderedRationals.floor,
  midpoint: (a, b) => rationals.multiply(rationals.add(a, b), half),
  approximate: approximateRational,
  slack: (q) => slackOfRational(q, approximateRational(q)),
  ball: (q) => {
    const value = approximateRational(q);
    return { value, slack: slackOfRational(q, value) };
  },
  drift: () => 0,
  closer: (q) => q,
};

/** The reference in float64: fast, and as far from the truth as its own roundings take it. */
export const floatCentre: Centre<Ball> = {
  name: "float64",
  field: balls,
  real: balls,
  floor: floorOfBall,
  midpoint: (a, b) => {
    const value = a.value / 2 + b.value / 2;
    return {
      value,
      slack: (a.slack / 2 + b.slack / 2 + Math.abs(value) * 2 ** -53 + UNDERFLOWS) * UPWARDS,
    };
  },
  approximate: ({ value }) => value,
  slack: ({ slack }) => slack,
  ball: (ball) => ball,
  drift: ({ value }, ulps) => roundingOfBall(value, ulps),
  closer: ({ value, slack }, found) => ({ value, slack: Math.min(slack, found) }),
};

/** Intervals of MPFR numbers: as close to the truth as the arena's precision. */
export function enclosureCentre(arena: Arena): Centre<Enclosure> {
  const { algebra, operations, half: halve } = enclosuresIn(arena);
  const approximate = ({ low, high }: Enclosure): number =>
    mpfr.mpfr_get_d(low, DOWN) / 2 + mpfr.mpfr_get_d(high, UP) / 2;
  const slack = (x: Enclosure): number => {
    if (!isKnown(x)) return Number.NaN;
    const [low, high] = [mpfr.mpfr_get_d(x.low, DOWN), mpfr.mpfr_get_d(x.high, UP)];
    const near = approximate(x);
    return Math.max(high - near, near - low) * UPWARDS;
  };
  return {
    name: algebra.name,
    field: operations,
    real: operations,
    floor: operations.floor,
    midpoint: (a, b) => halve(operations.add(a, b)),
    approximate,
    slack,
    ball: (x) => ({ value: approximate(x), slack: slack(x) }),
    // Intervals are as narrow as their digits allow.
    drift: () => Number.POSITIVE_INFINITY,
    closer: (x) => x,
  };
}
