import type { ScalarTerm, SymbolicAlgebra } from "../../../reference/algebras/symbolic/index.ts";
import { InvariantError, present } from "../../../spec/shapes/index.ts";
import {
  addPolynomials,
  collected,
  degreeIn,
  multiplyPolynomials,
  negatePolynomial,
  type Polynomial,
  powerOf,
  variablePolynomial,
  withExponent,
  zeroPolynomial,
} from "../polynomial.ts";
import { polynomialOf } from "./normal_form.ts";
import type { ValueSymbol } from "./purify.ts";

/**
 * Computes the quotient `Q` with `left − right = (r y − 1) Q`, for the one reciprocal `r` of `y` among
 * the symbols: an identity that shows, without an assumption, that the sides are equal where `r y = 1`. If
 * that does not follow, there is no such quotient and the identity is false. Throws {@link InvariantError}
 * for another number of reciprocals.
 */
export function certificateOf(
  algebra: SymbolicAlgebra,
  [left, right]: readonly [ScalarTerm, ScalarTerm],
  symbols: readonly ValueSymbol[],
): { readonly factor: ScalarTerm; readonly quotient: ScalarTerm } {
  const [reciprocal, ...more] = symbols.filter(({ operator }) => operator === "reciprocal");
  const y = reciprocal?.operands[0];
  if (reciprocal === undefined || y === undefined || more.length > 0) {
    throw new InvariantError("a certificate is for one reciprocal");
  }
  const { operations: a } = algebra;
  const difference = addPolynomials(polynomialOf(left), negatePolynomial(polynomialOf(right)));
  const quotient = quotientBy(difference, reciprocal.name, polynomialOf(y));
  return {
    factor: a.add(a.multiply(reciprocal.term, y), a.negative(a.one)),
    quotient: termOf(algebra, quotient),
  };
}

/** As `Σ aⱼ yᵏ⁻ʲ = 0`, r y − 1 divides `D = Σ aⱼ rʲ (1 − (r y)ᵏ⁻ʲ)`. */
function quotientBy(difference: Polynomial, name: string, y: Polynomial): Polynomial {
  const degree = degreeIn(difference, name);
  const product = multiplyPolynomials(variablePolynomial(name), y);
  let sum = zeroPolynomial;
  for (let exponent = 0; exponent < degree; exponent++) {
    const part = collected(
      [...difference.values()].filter(({ monomial }) => (monomial.get(name) ?? 0) === exponent),
    );
    for (let i = 0; i < degree - exponent; i++) {
      sum = addPolynomials(sum, multiplyPolynomials(part, powerOf(product, i)));
    }
  }
  return negatePolynomial(sum);
}

/** Writes a polynomial with integer coefficients as a term. Throws {@link InvariantError} for others. */
export function termOf({ operations: a, variable }: SymbolicAlgebra, polynomial: Polynomial): ScalarTerm {
  const summands = [...polynomial.values()].map(({ coefficient, monomial }) => {
    if (coefficient.denominator !== 1n) throw new InvariantError("a coefficient that is no integer");
    const factors = [...monomial].flatMap(([name, exponent]) =>
      new Array<ScalarTerm>(exponent).fill(variable(name)),
    );
    return factors.reduce(
      (product, factor) => a.multiply(product, factor),
      a.literal(Number(coefficient.numerator)),
    );
  });
  return summands.length === 0 ? a.zero : summands.reduce((sum, summand) => a.add(sum, summand));
}

/** Divides a polynomial by a power of a variable; returns `undefined` if that is no factor. */
export function dividedBy(polynomial: Polynomial, name: string, power: number): Polynomial | undefined {
  const summands = [...polynomial.values()];
  if (summands.some(({ monomial }) => (monomial.get(name) ?? 0) < power)) return undefined;
  return collected(
    summands.map(({ coefficient, monomial }) => ({
      coefficient,
      monomial: withExponent(monomial, name, present(monomial.get(name), "an exponent") - power),
    })),
  );
}
