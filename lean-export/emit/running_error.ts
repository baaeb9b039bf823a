import { type Rational, rational, rationalFromNumber, rationalOf } from "../../reference/index.ts";
import { type Algebra, type FloatFormat, present, type Ring } from "../../spec/index.ts";

/**
 * A sum of numbers and products of two numbers, each number known up to a bound: what running error analysis knows of it
 * (`Adjudge.RunningError`). It is computed with as any scalar is, so that every operator's rule tells its own analysis.
 */
export interface RunningError {
  /** The exact sum of what the engine was given. */
  readonly exact: Rational;
  /** The sum of the magnitudes of the terms. */
  readonly magnitude: Rational;
  /** How far the sum may be from that of the true numbers. */
  readonly propagated: Rational;
  readonly terms: number;
  /** How many of the terms are products. */
  readonly products: number;
}

const field = present(rational.levels.field, "the rational numbers");

const none: RunningError = {
  exact: field.zero,
  magnitude: field.zero,
  propagated: field.zero,
  terms: 0,
  products: 0,
};

/** The absolute value. */
export function magnitudeOf(x: Rational): Rational {
  return x.numerator < 0n ? field.negative(x) : x;
}

/** A number of the engine's, at most `bound` from the true one. A zero that is surely one is no term: adding it is exact. */
export function known(exact: Rational, bound: Rational): RunningError {
  if (exact.numerator === 0n && bound.numerator === 0n) return none;
  return { exact, magnitude: magnitudeOf(exact), propagated: bound, terms: 1, products: 0 };
}

const operations = (format: FloatFormat): Ring<RunningError> => ({
  zero: none,
  one: known(field.one, field.zero),
  detach: (x) => x,
  add: (x, y) => ({
    exact: field.add(x.exact, y.exact),
    magnitude: field.add(x.magnitude, y.magnitude),
    propagated: field.add(x.propagated, y.propagated),
    terms: x.terms + y.terms,
    products: x.products + y.products,
  }),
  multiply: (x, y) => ({
    exact: field.multiply(x.exact, y.exact),
    magnitude: field.multiply(x.magnitude, y.magnitude),
    propagated: field.add(
      field.add(field.multiply(x.magnitude, y.propagated), field.multiply(x.propagated, y.magnitude)),
      field.multiply(x.propagated, y.propagated),
    ),
    terms: x.terms * y.terms,
    products: x.terms * y.terms,
  }),
  negative: (x) => ({ ...x, exact: field.negative(x.exact) }),
  literal: (x) => known(rationalFromNumber(format.round(x)), field.zero),
});

/** The carrier of running errors in a format. It is no ring, since it counts terms, but it has a ring's operations. */
export function runningErrors(format: FloatFormat): Algebra<RunningError, boolean> {
  const ring = operations(format);
  return {
    name: "running error",
    additive: ring,
    levels: {
      additive: ring,
      semiring: ring,
      ring,
      field: undefined,
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
 * How far an engine that adds in any order may be from the exact sum of what it was given (`Adjudge.RunningError.allowance`): nothing
 * where it moves one number, one rounding where it rounds once, and else γ ∑|terms| (Higham, Accuracy and Stability of Numerical
 * Algorithms, §3.1 and §4.2), where a product may underflow by less than the smallest number.
 */
export function allowance(format: FloatFormat, x: RunningError): Rational {
  const unit = rationalFromNumber(format.unitRoundoff);
  const underflow = field.multiply(rationalFromNumber(format.smallest), rationalOf(BigInt(x.products), 1n));
  const roundings = Math.max(0, x.terms - 1) + Math.min(1, x.products);
  if (roundings === 0) return field.zero;
  if (roundings === 1) return field.add(field.multiply(unit, magnitudeOf(x.exact)), underflow);
  const relative = field.multiply(unit, rationalOf(BigInt(roundings), 1n));
  const gamma = field.divide(relative, field.add(field.one, field.negative(relative)));
  return field.add(field.multiply(gamma, x.magnitude), underflow);
}

/** So many bits of a bound are written; what is cut off is added. */
const BOUND_BITS = 12;

/** A short dyadic number that is not less than `x`, which is not negative. */
export function roundedUp(x: Rational): Rational {
  if (x.numerator === 0n) return field.zero;
  const shift = x.numerator.toString(2).length - x.denominator.toString(2).length - BOUND_BITS;
  const [up, down] = shift > 0 ? [1n, 1n << BigInt(shift)] : [1n << BigInt(-shift), 1n];
  const denominator = x.denominator * down;
  const digits = (x.numerator * up + denominator - 1n) / denominator;
  return rationalOf(digits * down, up);
}
