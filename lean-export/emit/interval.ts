import {
  compareRationals,
  type MaybeTruth,
  type Rational,
  rational,
  rationalOf,
} from "../../reference/index.ts";
import { elementary } from "../../spec/operators/index.ts";
import { type Algebra, everyLevel, type OrderedReal, present } from "../../spec/shapes/index.ts";
import type { Scalars } from "./scalars.ts";
import { bitsOf } from "./tabled.ts";

/**
 * `Adjudge.Interval`: all real numbers from one rational number to another. Nothing is known if they have no
 * value.
 */
export interface Interval {
  readonly low: Rational;
  readonly high: Rational;
}

const field = present(rational.levels.orderedField, "the ordered field");

/** A number that is longer is rounded, and so are the ends of an interval, to so many significant bits. */
const LONGEST = 160n;
const KEPT = 80n;

/** Returns the interval of one number. */
export function pointInterval(x: Rational): Interval {
  return { low: x, high: x };
}

/** Nothing is known. */
export const unknownInterval: Interval = pointInterval({ numerator: 0n, denominator: 0n });

/** Tells whether something is known. */
export function isKnownInterval({ low, high }: Interval): boolean {
  return low.denominator !== 0n && high.denominator !== 0n;
}

/** Tells whether the interval is one number. */
export function isPointInterval({ low, high }: Interval): boolean {
  return compareRationals(low, high) === 0;
}

export function subtractRationals(x: Rational, y: Rational): Rational {
  return field.add(x, field.negative(y));
}

/** Returns an interval around `low` to `high` whose ends are not long. */
export function outwards(low: Rational, high: Rational): Interval {
  const longest = isPointInterval({ low, high }) ? LONGEST : KEPT;
  return { low: field.negative(upwards(field.negative(low), longest)), high: upwards(high, longest) };
}

/** Returns a number that is not less, and no longer, or has so many significant bits. */
export function upwards(x: Rational, longest: bigint, kept: bigint = KEPT): Rational {
  const { numerator, denominator } = x;
  if (bitsOf(numerator) <= longest && bitsOf(denominator) <= longest) return x;
  const shift = kept - bitsOf(numerator) + bitsOf(denominator);
  const scaled = shift >= 0n ? numerator << shift : numerator;
  const by = shift >= 0n ? denominator : denominator << -shift;
  const whole = field.floor(rationalOf(-scaled, by));
  return shift >= 0n ? rationalOf(-whole.numerator, 1n << shift) : rationalOf(-whole.numerator << -shift, 1n);
}

const smaller = (x: Rational, y: Rational): Rational => (compareRationals(x, y) === 1 ? y : x);
const larger = (x: Rational, y: Rational): Rational => (compareRationals(x, y) === 1 ? x : y);

/** Returns an interval around numbers; nothing is known if one has no value. */
export function around(numbers: readonly Rational[]): Interval {
  const [first = unknownInterval.low, ...rest] = numbers;
  if (numbers.some(({ denominator }) => denominator === 0n)) return unknownInterval;
  return outwards(rest.reduce(smaller, first), rest.reduce(larger, first));
}

function corners(f: (x: Rational, y: Rational) => Rational, x: Interval, y: Interval): Interval {
  if (isPointInterval(x) && isPointInterval(y)) return around([f(x.low, y.low)]);
  return around([f(x.low, y.low), f(x.low, y.high), f(x.high, y.low), f(x.high, y.high)]);
}

function holdsZero({ low, high }: Interval): boolean {
  return low.numerator <= 0n && high.numerator >= 0n;
}

const isLess = (x: Rational, y: Rational): boolean => compareRationals(x, y) === -1;

/**
 * These are, but for rounding outwards, what `Adjudge.Interval` has; elementary functions are looked up
 * elsewhere.
 */
const operations: OrderedReal<Interval, MaybeTruth> = {
  ...elementary<Interval>(
    () => () => unknownInterval,
    () => () => unknownInterval,
  ),
  zero: pointInterval(field.zero),
  one: pointInterval(field.one),
  add: (x, y) =>
    isKnownInterval(x) && isKnownInterval(y)
      ? outwards(field.add(x.low, y.low), field.add(x.high, y.high))
      : unknownInterval,
  detach: (x) => x,
  multiply: (x, y) => corners(field.multiply, x, y),
  literal: (x) => pointInterval(field.literal(x)),
  negative: ({ low, high }) => ({ low: field.negative(high), high: field.negative(low) }),
  divide: (x, y) => (holdsZero(y) ? unknownInterval : corners(field.divide, x, y)),
  less: (x, y) => (isLess(x.high, y.low) ? true : isLess(x.low, y.high) ? undefined : false),
  equal: (x, y) => {
    if (isLess(x.high, y.low) || isLess(y.high, x.low)) return false;
    return isPointInterval(x) && isPointInterval(y) ? true : undefined;
  },
  select: (condition, x, y) =>
    condition === undefined ? around([x.low, x.high, y.low, y.high]) : condition ? x : y,
  floor: ({ low, high }) => ({ low: field.floor(low), high: field.floor(high) }),
};

/**
 * Intervals as an algebra, over which the reference's rules enclose what Lean makes of the same intervals.
 * `literal` reads the numbers of attributes.
 */
export function intervalsWith(literal: Scalars["literal"]): Algebra<Interval, MaybeTruth> {
  const read = (x: number): Interval => {
    const number = literal(x);
    return number === undefined ? unknownInterval : pointInterval(number);
  };
  return { ...intervals, levels: everyLevel({ ...operations, literal: read }) };
}

/** The same, of exact numbers. */
export const intervals: Algebra<Interval, MaybeTruth> = {
  name: "intervals",
  additive: operations,
  levels: everyLevel(operations),
  isSame: (x, y) => rational.isSame(x.low, y.low) && rational.isSame(x.high, y.high),
  format: ({ low, high }) => `${rational.format(low)} to ${rational.format(high)}`,
  parse: (text) => {
    const x = rational.parse(text);
    return x && pointInterval(x);
  },
};

export function addIntervals(x: Interval, y: Interval): Interval {
  return operations.add(x, y);
}

export function multiplyIntervals(x: Interval, y: Interval): Interval {
  return operations.multiply(x, y);
}
