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

const isNegative = (x: Address): boolean => mpfr.mpfr_sgn(x) < 0;
const isPositive = (x: Address): boolean => mpfr.mpfr_sgn(x) > 0;
const isPoint = ({ low, high }: Enclosure): boolean => mpfr.mpfr_equal_p(low, high) !== 0;
const holdsZero = ({ low, high }: Enclosure): boolean => !isPositive(low) && !isNegative(high);
const smaller = (x: Address, y: Address): Address => (mpfr.mpfr_lessequal_p(x, y) !== 0 ? x : y);
const larger = (x: Address, y: Address): Address => (mpfr.mpfr_lessequal_p(x, y) !== 0 ? y : x);

/** Makes enclosures in one arena. Ends are rounded outwards. */
class Outwards {
  readonly unknown: Enclosure;
  readonly one: Enclosure;
  readonly zero: Enclosure;
  readonly #arena: Arena;

  constructor(arena: Arena) {
    this.#arena = arena;
    const nan = arena.fresh();
    this.unknown = { low: nan, high: nan };
    this.one = this.literal(1);
    this.zero = this.literal(0);
  }

  literal(x: number): Enclosure {
    const address = this.#arena.fresh();
    mpfr.mpfr_set_d(address, x, DOWN);
    return this.between(address, address);
  }

  between(low: Address, high: Address): Enclosure {
    return mpfr.mpfr_number_p(low) !== 0 && mpfr.mpfr_number_p(high) !== 0 ? { low, high } : this.unknown;
  }

  apply(f: Unary, x: Address, rounding: Rounding): Address {
    const result = this.#arena.fresh();
    f(result, x, rounding);
    return result;
  }

  combine(f: Binary, x: Address, y: Address, rounding: Rounding): Address {
    const result = this.#arena.fresh();
    f(result, x, y, rounding);
    return result;
  }

  increasing(f: Unary, { low, high }: Enclosure): Enclosure {
    return this.between(this.apply(f, low, DOWN), this.apply(f, high, UP));
  }

  decreasing(f: Unary, { low, high }: Enclosure): Enclosure {
    return this.between(this.apply(f, high, DOWN), this.apply(f, low, UP));
  }

  /** Encloses a function that is monotone in each argument alone: its extrema are at corners. */
  atCorners(f: Binary, x: Enclosure, y: Enclosure): Enclosure {
    if (x === this.unknown || y === this.unknown) return this.unknown;
    const xs = isPoint(x) ? [x.low] : [x.low, x.high];
    const ys = isPoint(y) ? [y.low] : [y.low, y.high];
    const ends = (rounding: Rounding): Address[] =>
      xs.flatMap((a) => ys.map((b) => this.combine(f, a, b, rounding)));
    const [lows, highs] = [ends(DOWN), ends(UP)];
    if ([...lows, ...highs].some((end) => mpfr.mpfr_number_p(end) === 0)) return this.unknown;
    return { low: lows.reduce(smaller), high: highs.reduce(larger) };
  }

  absolute(x: Enclosure): Enclosure {
    if (x === this.unknown || !isNegative(x.low)) return x;
    const flipped = this.decreasing(mpfr.mpfr_neg, x);
    if (!isNegative(flipped.low)) return flipped;
    return { low: this.zero.low, high: larger(x.high, flipped.high) };
  }

  /** Encloses sin or cos, which move no more than their argument and stay in [−1, 1]. */
  wave(f: Unary, x: Enclosure): Enclosure {
    if (x === this.unknown) return x;
    if (isPoint(x)) return this.increasing(f, x);
    const width = this.combine(mpfr.mpfr_sub, x.high, x.low, UP);
    const low = this.combine(mpfr.mpfr_sub, this.apply(f, x.low, DOWN), width, DOWN);
    const high = this.combine(mpfr.mpfr_add, this.apply(f, x.low, UP), width, UP);
    return {
      low: larger(low, this.apply(mpfr.mpfr_neg, this.one.low, DOWN)),
      high: smaller(high, this.one.low),
    };
  }

  hull(x: Enclosure, y: Enclosure): Enclosure {
    if (x === this.unknown || y === this.unknown) return this.unknown;
    return { low: smaller(x.low, y.low), high: larger(x.high, y.high) };
  }
}

function fieldOf(ends: Outwards): Field<Enclosure> {
  const { zero, one, unknown } = ends;
  return {
    zero,
    one,
    add: (x, y) =>
      ends.between(
        ends.combine(mpfr.mpfr_add, x.low, y.low, DOWN),
        ends.combine(mpfr.mpfr_add, x.high, y.high, UP),
      ),
    detach: (x) => x,
    multiply: (x, y) => ends.atCorners(mpfr.mpfr_mul, x, y),
    literal: (x) => ends.literal(x),
    negative: (x) => ends.decreasing(mpfr.mpfr_neg, x),
    divide: (x, y) => (holdsZero(y) ? unknown : ends.atCorners(mpfr.mpfr_div, x, y)),
  };
}

/** Encloses MPFR's function of that name, by the course of the function. */
function enclosed(ends: Outwards, name: UnaryName): (x: Enclosure) => Enclosure {
  const f = mpfr[`mpfr_${name}`];
  const { course } = unaryFunctions[name];
  switch (course) {
    case "increasing":
      return (x) => ends.increasing(f, x);
    case "decreasing":
      return (x) => ends.decreasing(f, x);
    case "even":
      return (x) => ends.increasing(f, ends.absolute(x));
    case "wave":
      return (x) => ends.wave(f, x);
    case "between poles":
      return (x) => (holdsZero(ends.wave(mpfr.mpfr_cos, x)) ? ends.unknown : ends.increasing(f, x));
  }
}

function functionsOf(ends: Outwards): Elementary<Enclosure> {
  const { unknown } = ends;
  return {
    ...forUnary((name) => enclosed(ends, name)),
    pow: (x, y) => {
      if (x === unknown || y === unknown) return unknown;
      if (isPositive(x.low)) return ends.atCorners(mpfr.mpfr_pow, x, y);
      // Up to 0 and beyond, a power has a value for positive exponents, and below 0 for integers.
      const isInteger = isPoint(y) && mpfr.mpfr_integer_p(y.low) !== 0;
      if (isNegative(x.low) && !isInteger) return unknown;
      if (holdsZero(x) && isNegative(y.low)) return unknown;
      const half = (): Enclosure => ends.atCorners(mpfr.mpfr_mul, y, ends.literal(0.5));
      const isEven = isInteger && mpfr.mpfr_integer_p(half().low) !== 0;
      return ends.atCorners(mpfr.mpfr_pow, isEven ? ends.absolute(x) : x, y);
    },
    atan2: (y, x) => {
      if (x === unknown || y === unknown) return unknown;
      // Along lines it is monotone, but for the cut on the negative axis, where the sign of an exact zero
      // tells.
      const isCut = holdsZero(y) && !isPositive(x.low);
      const isSigned = isPoint(y) && isNegative(x.high);
      if (!isCut || isSigned) return ends.atCorners(mpfr.mpfr_atan2, y, x);
      const constant: Unary = (result, _x, rounding) => mpfr.mpfr_const_pi(result, rounding);
      const pi = ends.apply(constant, ends.one.low, UP);
      return { low: ends.apply(mpfr.mpfr_neg, pi, DOWN), high: pi };
    },
    hypot: (x, y) => ends.atCorners(mpfr.mpfr_hypot, ends.absolute(x), ends.absolute(y)),
  };
}

function less(x: Enclosure, y: Enclosure): MaybeTruth {
  if (mpfr.mpfr_less_p(x.high, y.low) !== 0) return true;
  return mpfr.mpfr_lessequal_p(y.high, x.low) !== 0 ? false : undefined;
}

function equal(x: Enclosure, y: Enclosure): MaybeTruth {
  if (isPoint(x) && isPoint(y)) return mpfr.mpfr_equal_p(x.low, y.low) !== 0;
  const isApart = mpfr.mpfr_less_p(x.high, y.low) !== 0 || mpfr.mpfr_less_p(y.high, x.low) !== 0;
  return isApart ? false : undefined;
}

/**
 * Returns interval arithmetic in one arena. Ends are rounded outwards, so `f(X)` holds every `f(x)` with `x`
 * in `X`. A monotone function takes its values at the ends; another is bounded without asking where its
 * extrema lie. Results that are not finite are unknown. Source: Moore, Kearfott and Cloud, "Introduction to
 * Interval Analysis", 2009.
 */
export function enclosuresIn(arena: Arena): Enclosures {
  const ends = new Outwards(arena);
  const operations: OrderedReal<Enclosure, MaybeTruth> & Elementary<Enclosure> = {
    ...fieldOf(ends),
    ...functionsOf(ends),
    less,
    equal,
    select: (condition, x, y) => (condition === undefined ? ends.hull(x, y) : condition ? x : y),
    floor: (x) => ends.increasing((result, end) => mpfr.mpfr_floor(result, end), x),
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
      return x === undefined ? undefined : ends.literal(x);
    },
  };
  const half = ends.literal(0.5);
  return {
    algebra,
    operations,
    hull: (x, y) => ends.hull(x, y),
    half: (x) => operations.multiply(x, half),
  };
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
