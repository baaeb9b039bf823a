import {
  compareRationals,
  type Rational,
  rational,
  rationalFromNumber,
  rationalOf,
  undefinedRational,
} from "../../reference/index.ts";
import { type Algebra, type Field, present } from "../../spec/shapes/index.ts";
import type { FloatFormat } from "../../spec/wire/index.ts";

/**
 * A sum of terms, which are numbers or their products and quotients, where each number is known up to a
 * bound: what running error analysis knows of it (`Adjudge.RunningError`). It is computed with as any scalar
 * is, so that every operator's rule tells its own analysis.
 */
export interface RunningError {
  /** The exact sum of what the engine was given. */
  readonly exact: Rational;
  /** The sum of the magnitudes of the terms. */
  readonly magnitude: Rational;
  /** The exact sum may be so far from that of the true numbers. */
  readonly propagated: Rational;
  readonly terms: number;
  /** A term has at most so many roundings. */
  readonly depth: number;
  /** Underflows may cost so many times the smallest number, in whatever order the terms are multiplied. */
  readonly weight: Rational;
}

const field = present(rational.levels.field, "the rational numbers");

const none: RunningError = {
  exact: field.zero,
  magnitude: field.zero,
  propagated: field.zero,
  terms: 0,
  depth: 0,
  weight: field.zero,
};

/** Returns the absolute value. */
export function magnitudeOf(x: Rational): Rational {
  return x.numerator < 0n ? field.negative(x) : x;
}

/** Returns a number of the engine, at most `bound` from the true one. Adding a certain zero is exact. */
export function known(exact: Rational, bound: Rational): RunningError {
  if (exact.numerator === 0n && bound.numerator === 0n) return none;
  const magnitude = magnitudeOf(exact);
  return { exact, magnitude, propagated: bound, terms: 1, depth: 0, weight: field.add(field.one, magnitude) };
}

/** Returns the depth of so many terms after a rounding more in each. */
function deeper(terms: number, depth: number): number {
  return terms === 0 ? 0 : depth + 1;
}

/** Attributes denote these numbers in a format. */
interface Literals {
  literal(x: number): Rational;
}

const operations = ({ literal }: Literals): Field<RunningError> => ({
  zero: none,
  one: known(field.one, field.zero),
  detach: (x) => x,
  add: (x, y) => ({
    exact: field.add(x.exact, y.exact),
    magnitude: field.add(x.magnitude, y.magnitude),
    propagated: field.add(x.propagated, y.propagated),
    terms: x.terms + y.terms,
    depth: Math.max(x.depth, y.depth),
    weight: field.add(x.weight, y.weight),
  }),
  multiply: (x, y) => ({
    exact: field.multiply(x.exact, y.exact),
    magnitude: field.multiply(x.magnitude, y.magnitude),
    propagated: field.add(
      field.add(field.multiply(x.magnitude, y.propagated), field.multiply(x.propagated, y.magnitude)),
      field.multiply(x.propagated, y.propagated),
    ),
    terms: x.terms * y.terms,
    depth: deeper(x.terms * y.terms, x.depth + y.depth),
    weight: field.multiply(x.weight, y.weight),
  }),
  negative: (x) => ({ ...x, exact: field.negative(x.exact) }),
  divide: (x, y) => {
    const divisor = magnitudeOf(y.exact);
    const quotients = field.divide(x.magnitude, divisor);
    const share = field.add(field.one, field.divide(field.one, divisor));
    const brought = field.add(x.propagated, field.multiply(quotients, y.propagated));
    return {
      exact: field.divide(x.exact, y.exact),
      magnitude: quotients,
      propagated: field.divide(brought, leastMagnitude(y)),
      terms: x.terms,
      depth: deeper(x.terms, x.depth),
      weight: field.multiply(x.weight, field.multiply(share, share)),
    };
  },
  literal: (x) => known(literal(x), field.zero),
});

/** Bounds the true number's size from below; without value if it may be zero. */
function leastMagnitude({ exact, propagated }: RunningError): Rational {
  const least = field.add(magnitudeOf(exact), field.negative(propagated));
  return compareRationals(least, field.zero) === 1 ? least : undefinedRational;
}

/**
 * Returns the carrier of running errors in a format. It has a field's operations but is no field, since it
 * counts terms. Divisors are {@link known} numbers; a quotient by one that may be zero has no value.
 */
export function runningErrors(format: Literals): Algebra<RunningError, boolean> {
  const all = operations(format);
  return {
    name: "running error",
    additive: all,
    levels: {
      additive: all,
      semiring: all,
      ring: all,
      field: all,
      real: undefined,
      ordered: undefined,
      orderedField: undefined,
      orderedReal: undefined,
    },
    isSame: (x, y) => rational.isSame(x.exact, y.exact) && rational.isSame(x.propagated, y.propagated),
    format: ({ exact }) => rational.format(exact),
    parse: (text) => {
      const x = rational.parse(text);
      return x === undefined || x.denominator === 0n ? undefined : known(x, field.zero);
    },
  };
}

/**
 * Bounds how far an engine that adds in any order may be from the exact sum
 * (`Adjudge.RunningError.allowance`): nothing where it moves one number, one rounding where it rounds once,
 * else γ ∑|terms| (Higham, Accuracy and Stability of Numerical Algorithms, §3.1 and §4.2). A product or
 * quotient may underflow by less than the smallest number, and several in a term by less than its weight.
 */
export function allowance(format: FloatFormat, x: RunningError): Rational {
  const unit = rationalFromNumber(format.unitRoundoff);
  const underflows = x.depth > 1 ? x.weight : rationalOf(BigInt(x.depth * x.terms), 1n);
  const underflow = field.multiply(rationalFromNumber(format.smallest), underflows);
  const roundings = Math.max(0, x.terms - 1) + x.depth;
  if (roundings === 0) return field.zero;
  if (roundings === 1) return field.add(field.multiply(unit, magnitudeOf(x.exact)), underflow);
  const relative = field.multiply(unit, rationalOf(BigInt(roundings), 1n));
  const gamma = field.divide(relative, field.add(field.one, field.negative(relative)));
  return field.add(field.multiply(gamma, x.magnitude), underflow);
}

/** Bounds are rounded up to so many bits. */
const BOUND_BITS = 12;

/** Returns a short dyadic number not less than `x`, which is not negative; without value where `x` is. */
export function roundedUp(x: Rational): Rational {
  if (x.numerator === 0n) return x;
  const shift = x.numerator.toString(2).length - x.denominator.toString(2).length - BOUND_BITS;
  const [up, down] = shift > 0 ? [1n, 1n << BigInt(shift)] : [1n << BigInt(-shift), 1n];
  const denominator = x.denominator * down;
  const digits = (x.numerator * up + denominator - 1n) / denominator;
  return rationalOf(digits * down, up);
}
