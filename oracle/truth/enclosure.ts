import {
  type Address,
  type Arena,
  type Binary,
  DOWN,
  mpfr,
  type Rounding,
  type Unary,
  UP,
} from "../../reference/algebras/mpfr.ts";
import type { MaybeTruth } from "../../reference/index.ts";
import { type Elementary, forUnary, type UnaryName, unaryFunctions } from "../../spec/operators/index.ts";
import { type Algebra, everyLevel, type Field, type OrderedReal } from "../../spec/shapes/index.ts";
import { formatFloat64, parseFloat64 } from "../../spec/wire/index.ts";

/**
 * A closed interval of MPFR numbers that holds a real number for certain. Where nothing is known, or the number
 * does not exist, both ends are NaN: the one enclosure {@link isKnown} refuses.
 */
export interface Enclosure {
  readonly low: Address;
  readonly high: Address;
}

/** What computes with enclosures in one arena. */
export interface Enclosures {
  readonly algebra: Algebra<Enclosure, MaybeTruth>;
  readonly operations: OrderedReal<Enclosure, MaybeTruth> & Elementary<Enclosure>;
  /** The smallest enclosure of both. */
  hull(x: Enclosure, y: Enclosure): Enclosure;
  /** Half of an enclosure. */
  half(x: Enclosure): Enclosure;
}

/** Whether there is a number for the enclosure to hold. */
export function isKnown({ low }: Enclosure): boolean {
  return mpfr.mpfr_nan_p(low) === 0;
}

/**
 * Interval arithmetic in one arena: ends are rounded outwards, so `f(X)` holds every `f(x)` with `x` in `X`
 * (Moore, Kearfott and Cloud, "Introduction to Interval Analysis", 2009). Where a function is monotone on the
 * interval its ends are the function's at the interval's ends; where it is not, a bound that does not ask where
 * the extrema lie. Results that are not finite are unknown.
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

  /** A function that is monotone in each argument while the other stands still: its extrema are at corners. */
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

  /** A wave moves no more than their argument and stay in [−1, 1]. */
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

  /** MPFR's function of that name, whose course says which ends of the image come from which of the interval. */
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
      // Along lines it is monotone, but for the cut on the negative axis, where the sign of an exact zero tells.
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
