import {
  type Address,
  Arena,
  type Binary,
  DOWN,
  mpfr,
  type Rounding,
  rationalFromMpfr,
  type Unary,
  UP,
} from "../../../reference/algebras/mpfr.ts";
import type { MaybeTruth, Rational } from "../../../reference/index.ts";
import { type Elementary, forUnary, type UnaryName, unaryFunctions } from "../../../spec/operators/index.ts";
import { type Algebra, everyLevel, type Field, type OrderedReal } from "../../../spec/shapes/index.ts";
import { formatFloat64, parseFloat64 } from "../../../spec/wire/index.ts";

import { UPWARDS } from "./ball.ts";
import type { Centre } from "./centre.ts";

/**
 * An enclosure is a closed interval of MPFR numbers that holds a real number for certain. Where nothing is
 * known, or there is no number, both ends are NaN, and {@link isKnown} is false.
 */
export interface Enclosure {
  readonly low: Address;
  readonly high: Address;
}

/** These operations compute with enclosures in one arena. */
export interface Enclosures {
  readonly algebra: Algebra<Enclosure, MaybeTruth>;
  readonly operations: OrderedReal<Enclosure, MaybeTruth> & Elementary<Enclosure>;
  /** Returns the smallest enclosure of both. */
  hull(x: Enclosure, y: Enclosure): Enclosure;
  /** Returns half of an enclosure. */
  half(x: Enclosure): Enclosure;
}

/** Tells whether there is a number for the enclosure to hold. */
export function isKnown({ low }: Enclosure): boolean {
  return mpfr.mpfr_nan_p(low) === 0;
}

/**
 * Returns interval arithmetic in one arena. Ends are rounded outwards, so `f(X)` holds every `f(x)` with `x`
 * in `X`. A monotone function takes its values at the ends; another is bounded without asking where its
 * extrema lie. Results that are not finite are unknown. Source: Moore, Kearfott and Cloud, "Introduction to
 * Interval Analysis", 2009.
 */
export function enclosuresIn(arena: Arena): Enclosures {
  const nan = arena.fresh();
  const unknown: Enclosure = { low: nan, high: nan };

  const enclosure = (low: Address, high: Address): Enclosure =>
    mpfr.mpfr_number_p(low) !== 0 && mpfr.mpfr_number_p(high) !== 0 ? { low, high } : unknown;
  const literal = (x: number): Enclosure => {
    const address = arena.fresh();
    mpfr.mpfr_set_d(address, x, DOWN);
    return enclosure(address, address);
  };
  const one = literal(1);
  const zero = literal(0);

  const apply = (f: Unary, x: Address, rounding: Rounding): Address => {
    const result = arena.fresh();
    f(result, x, rounding);
    return result;
  };
  const combine = (f: Binary, x: Address, y: Address, rounding: Rounding): Address => {
    const result = arena.fresh();
    f(result, x, y, rounding);
    return result;
  };
  const smaller = (x: Address, y: Address): Address => (mpfr.mpfr_lessequal_p(x, y) !== 0 ? x : y);
  const larger = (x: Address, y: Address): Address => (mpfr.mpfr_lessequal_p(x, y) !== 0 ? y : x);
  const isNegative = (x: Address): boolean => mpfr.mpfr_sgn(x) < 0;
  const isPositive = (x: Address): boolean => mpfr.mpfr_sgn(x) > 0;
  const isPoint = ({ low, high }: Enclosure): boolean => mpfr.mpfr_equal_p(low, high) !== 0;
  const holdsZero = ({ low, high }: Enclosure): boolean => !isPositive(low) && !isNegative(high);

  const increasing =
    (f: Unary) =>
    ({ low, high }: Enclosure): Enclosure =>
      enclosure(apply(f, low, DOWN), apply(f, high, UP));
  const decreasing =
    (f: Unary) =>
    ({ low, high }: Enclosure): Enclosure =>
      enclosure(apply(f, high, DOWN), apply(f, low, UP));

  /** Encloses a function that is monotone in each argument alone: its extrema are at corners. */
  const atCorners = (f: Binary, x: Enclosure, y: Enclosure): Enclosure => {
    if (x === unknown || y === unknown) return unknown;
    const xs = isPoint(x) ? [x.low] : [x.low, x.high];
    const ys = isPoint(y) ? [y.low] : [y.low, y.high];
    const ends = (rounding: Rounding): Address[] =>
      xs.flatMap((a) => ys.map((b) => combine(f, a, b, rounding)));
    const [lows, highs] = [ends(DOWN), ends(UP)];
    if ([...lows, ...highs].some((end) => mpfr.mpfr_number_p(end) === 0)) return unknown;
    return { low: lows.reduce(smaller), high: highs.reduce(larger) };
  };

  const negative = decreasing(mpfr.mpfr_neg);
  const absolute = (x: Enclosure): Enclosure => {
    if (x === unknown || !isNegative(x.low)) return x;
    const flipped = negative(x);
    return isNegative(flipped.low) ? { low: zero.low, high: larger(x.high, flipped.high) } : flipped;
  };
  const add = (x: Enclosure, y: Enclosure): Enclosure =>
    enclosure(combine(mpfr.mpfr_add, x.low, y.low, DOWN), combine(mpfr.mpfr_add, x.high, y.high, UP));

  /** Encloses sin or cos, which move no more than their argument and stay in [−1, 1]. */
  const wave =
    (f: Unary) =>
    (x: Enclosure): Enclosure => {
      if (x === unknown) return unknown;
      if (isPoint(x)) return increasing(f)(x);
      const width = combine(mpfr.mpfr_sub, x.high, x.low, UP);
      const low = combine(mpfr.mpfr_sub, apply(f, x.low, DOWN), width, DOWN);
      const high = combine(mpfr.mpfr_add, apply(f, x.low, UP), width, UP);
      return { low: larger(low, apply(mpfr.mpfr_neg, one.low, DOWN)), high: smaller(high, one.low) };
    };
  const cos = wave(mpfr.mpfr_cos);

  const field: Field<Enclosure> = {
    zero,
    one,
    add,
    detach: (x) => x,
    multiply: (x, y) => atCorners(mpfr.mpfr_mul, x, y),
    literal,
    negative,
    divide: (x, y) => (holdsZero(y) ? unknown : atCorners(mpfr.mpfr_div, x, y)),
  };

  /** Encloses MPFR's function of that name, by the course of the function. */
  const enclosed = (name: UnaryName): ((x: Enclosure) => Enclosure) => {
    const f = mpfr[`mpfr_${name}`];
    const { course } = unaryFunctions[name];
    switch (course) {
      case "increasing":
        return increasing(f);
      case "decreasing":
        return decreasing(f);
      case "even":
        return (x) => increasing(f)(absolute(x));
      case "wave":
        return wave(f);
      case "between poles":
        return (x) => (holdsZero(cos(x)) ? unknown : increasing(f)(x));
    }
  };

  const functions: Elementary<Enclosure> = {
    ...forUnary(enclosed),
    pow: (x, y) => {
      if (x === unknown || y === unknown) return unknown;
      if (isPositive(x.low)) return atCorners(mpfr.mpfr_pow, x, y);
      // Up to 0 and beyond, a power has a value for positive exponents, and below 0 for integers.
      const isInteger = isPoint(y) && mpfr.mpfr_integer_p(y.low) !== 0;
      if (isNegative(x.low) && !isInteger) return unknown;
      if (holdsZero(x) && isNegative(y.low)) return unknown;
      const isEven = isInteger && mpfr.mpfr_integer_p(field.multiply(y, literal(0.5)).low) !== 0;
      return atCorners(mpfr.mpfr_pow, isEven ? absolute(x) : x, y);
    },
    atan2: (y, x) => {
      if (x === unknown || y === unknown) return unknown;
      // Along lines it is monotone, but for the cut on the negative axis, where the sign of an exact zero
      // tells.
      const isCut = holdsZero(y) && !isPositive(x.low);
      const isSigned = isPoint(y) && isNegative(x.high);
      if (!isCut || isSigned) return atCorners(mpfr.mpfr_atan2, y, x);
      const pi = apply((result, _x, rounding) => mpfr.mpfr_const_pi(result, rounding), one.low, UP);
      return { low: apply(mpfr.mpfr_neg, pi, DOWN), high: pi };
    },
    hypot: (x, y) => atCorners(mpfr.mpfr_hypot, absolute(x), absolute(y)),
  };

  const hull = (x: Enclosure, y: Enclosure): Enclosure =>
    x === unknown || y === unknown ? unknown : { low: smaller(x.low, y.low), high: larger(x.high, y.high) };

  const operations: OrderedReal<Enclosure, MaybeTruth> & Elementary<Enclosure> = {
    ...field,
    ...functions,
    less: (x, y) => {
      if (x === unknown || y === unknown) return undefined;
      if (mpfr.mpfr_less_p(x.high, y.low) !== 0) return true;
      return mpfr.mpfr_lessequal_p(y.high, x.low) !== 0 ? false : undefined;
    },
    equal: (x, y) => {
      if (x === unknown || y === unknown) return undefined;
      if (isPoint(x) && isPoint(y)) return mpfr.mpfr_equal_p(x.low, y.low) !== 0;
      const isApart = mpfr.mpfr_less_p(x.high, y.low) !== 0 || mpfr.mpfr_less_p(y.high, x.low) !== 0;
      return isApart ? false : undefined;
    },
    select: (condition, x, y) => (condition === undefined ? hull(x, y) : condition ? x : y),
    floor: increasing((result, x) => mpfr.mpfr_floor(result, x)),
  };

  const algebra: Algebra<Enclosure, MaybeTruth> = {
    name: `enclosures(${arena.precision} bits)`,
    additive: operations,
    levels: everyLevel(operations),
    isSame: (x, y) =>
      isKnown(x) === isKnown(y) &&
      (!isKnown(x) || (mpfr.mpfr_equal_p(x.low, y.low) !== 0 && mpfr.mpfr_equal_p(x.high, y.high) !== 0)),
    format: ({ low, high }) =>
      `[${formatFloat64(mpfr.mpfr_get_d(low, DOWN))}, ${formatFloat64(mpfr.mpfr_get_d(high, UP))}]`,
    parse: (text) => {
      const x = parseFloat64(text);
      return x === undefined ? undefined : literal(x);
    },
  };
  const halfOne = literal(0.5);
  return { algebra, operations, hull, half: (x) => field.multiply(x, halfOne) };
}

/** Returns the intervals of an arena as a centre, as close to the truth as its precision. */
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
    // No smaller bound than the interval itself is known.
    drift: () => Number.POSITIVE_INFINITY,
    closer: (x) => x,
  };
}

/** Returns what `use` makes of enclosures of so many bits; MPFR's memory is freed before. */
export function withEnclosures<T>(precision: number, use: (centre: Centre<Enclosure>) => T): T {
  using arena = new Arena(precision);
  return use(enclosureCentre(arena));
}

/** Returns the ends of an enclosure that is known. */
export function rationalEnds({ low, high }: Enclosure): { readonly low: Rational; readonly high: Rational } {
  return { low: rationalFromMpfr(low), high: rationalFromMpfr(high) };
}
