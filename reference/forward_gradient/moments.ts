import { assertNever, type Field } from "../../spec/shapes/index.ts";
import type { Estimator } from "./estimators.ts";
import type { DirectionLaw, FiniteLaw, IndependentLaw } from "./laws.ts";
import {
  constantPolynomial,
  expectationOf,
  type Polynomial,
  polynomialRing,
  variablePolynomial,
} from "./polynomial.ts";
import type { Sloped } from "./sloped.ts";
import { innerProduct, plus, scaled, sumOf, unitVector, type Vector, zipVectors } from "./vector.ts";

/** An estimate has a mean and a variance: for each component, and in total. */
export interface Moments<S> {
  readonly mean: Vector<S>;
  readonly variance: Vector<S>;
  /** `E ‖g − E g‖²`. */
  readonly total: S;
}

/**
 * The exact mean and variance of an estimator. Over a finite law each outcome is estimated and weighed. Of
 * independent numbers the estimate is a polynomial, whose expectation the moments give. Cost: a sweep for
 * each outcome; or one for each number, then `(directions × dimension)²` products for each component.
 */
export function momentsOf<S>(
  field: Field<S>,
  estimator: Estimator<S>,
  sloped: Sloped<S>,
  law: DirectionLaw<S>,
): Moments<S> {
  switch (law.kind) {
    case "finite":
      return overOutcomes(field, estimator, sloped, law);
    case "independent":
      return ofPolynomials(field, estimator, sloped, law);
    default:
      return assertNever(law);
  }
}

function overOutcomes<S>(
  field: Field<S>,
  estimator: Estimator<S>,
  sloped: Sloped<S>,
  law: FiniteLaw<S>,
): Moments<S> {
  const first: S[] = [];
  const second: S[] = [];
  for (const { probability, directions } of law.outcomes()) {
    for (const [n, g] of estimator(sloped, directions).entries()) {
      const weighed = field.multiply(probability, g);
      first[n] = field.add(first[n] ?? field.zero, weighed);
      second[n] = field.add(second[n] ?? field.zero, field.multiply(weighed, g));
    }
  }
  return central(field, first, second);
}

function ofPolynomials<S>(
  field: Field<S>,
  estimator: Estimator<S>,
  sloped: Sloped<S>,
  law: IndependentLaw<S>,
): Moments<S> {
  const ring = polynomialRing(field);
  const variables = Array.from({ length: law.count }, (_, n) => variablePolynomial(field, n));
  const estimates = estimator(lifted(field, sloped), law.directions(ring, variables));
  const expected = (p: Polynomial<S>): S => expectationOf(field, p, law.numbers.moments);
  return central(
    field,
    estimates.map(expected),
    estimates.map((g) => expected(ring.multiply(g, g))),
  );
}

function central<S>(field: Field<S>, mean: Vector<S>, second: Vector<S>): Moments<S> {
  const variance = zipVectors(second, mean, (square, m) =>
    field.add(square, field.negative(field.multiply(m, m))),
  );
  return { mean, variance, total: sumOf(field, variance) };
}

/** Returns slopes along polynomials: both maps are linear, so their values along coordinates tell all. */
function lifted<S>(field: Field<S>, sloped: Sloped<S>): Sloped<Polynomial<S>, S> {
  const { dimension } = sloped;
  const ring = polynomialRing(field);
  const units = Array.from({ length: dimension }, (_, n) => unitVector(field, dimension, n));
  const slopes = units.map((unit) => constantPolynomial(sloped.slope(unit)));
  const columns = units.map((unit) => sloped.pull(unit).map(constantPolynomial));
  return {
    ring,
    constant: constantPolynomial,
    dimension,
    slope: (v) => innerProduct(ring, slopes, v),
    pull: (c) =>
      zipVectors(columns, c, (column, x) => scaled(ring, x, column)).reduce((g, h) => plus(ring, g, h)),
  };
}
