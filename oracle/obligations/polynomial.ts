import { type Rational, rational } from "../../reference/algebras/rational.ts";
import { present } from "../../spec/shapes/index.ts";

/** Coefficients are exact rationals. */
const q = present(rational.levels.field, "the rational numbers");

/** A monomial maps variables to exponents. */
export type Monomial = ReadonlyMap<string, number>;

/** A summand is a nonzero coefficient and a monomial. */
export interface Summand {
  readonly coefficient: Rational;
  readonly monomial: Monomial;
}

/**
 * A polynomial in normal form maps monomials' texts to summands with rational coefficients, none zero. Law:
 * two polynomials are equal for all real values of the variables exactly if their summands are the same.
 */
export type Polynomial = ReadonlyMap<string, Summand>;

/** This is 0, without summands. */
export const zeroPolynomial: Polynomial = new Map();

/** Makes a polynomial of a number. */
export function constantPolynomial(coefficient: Rational): Polynomial {
  return collected([{ coefficient, monomial: new Map() }]);
}

/** Makes a polynomial of a variable. */
export function variablePolynomial(name: string): Polynomial {
  return collected([{ coefficient: q.one, monomial: new Map([[name, 1]]) }]);
}

/** Computes `p + q`. */
export function addPolynomials(x: Polynomial, y: Polynomial): Polynomial {
  const sum = new Map(x);
  for (const [text, summand] of y) addSummand(sum, text, summand);
  return sum;
}

/** Computes `−p`. */
export function negatePolynomial(x: Polynomial): Polynomial {
  return scalePolynomial(x, q.negative(q.one));
}

/** Computes `factor · p`. */
export function scalePolynomial(x: Polynomial, factor: Rational): Polynomial {
  if (factor.numerator === 0n) return zeroPolynomial;
  return new Map(
    [...x].map(([text, { coefficient, monomial }]) => [
      text,
      { coefficient: q.multiply(factor, coefficient), monomial },
    ]),
  );
}

/** Computes `p · q`. Cost: the product of the numbers of summands. */
export function multiplyPolynomials(x: Polynomial, y: Polynomial): Polynomial {
  return collected(
    [...x.values()].flatMap((left) =>
      [...y.values()].map((right) => ({
        coefficient: q.multiply(left.coefficient, right.coefficient),
        monomial: productOf(left.monomial, right.monomial),
      })),
    ),
  );
}

/** Raises `p` to a power that is not negative. */
export function powerOf(x: Polynomial, exponent: number): Polynomial {
  let power = constantPolynomial(q.one);
  for (let i = 0; i < exponent; i++) power = multiplyPolynomials(power, x);
  return power;
}

/** Adds summands, those of one monomial taken together. */
export function collected(summands: readonly Summand[]): Polynomial {
  const sums = new Map<string, Summand>();
  for (const summand of summands) addSummand(sums, textOf(summand.monomial), summand);
  return sums;
}

/** Adds a summand with the monomial `text` to `sums`. */
function addSummand(sums: Map<string, Summand>, text: string, { coefficient, monomial }: Summand): void {
  const sum = q.add(sums.get(text)?.coefficient ?? q.zero, coefficient);
  if (sum.numerator === 0n) sums.delete(text);
  else sums.set(text, { coefficient: sum, monomial });
}

/** Returns the highest exponent of a variable; 0 where it does not occur. */
export function degreeIn(x: Polynomial, name: string): number {
  return Math.max(0, ...[...x.values()].map(({ monomial }) => monomial.get(name) ?? 0));
}

/** Changes the exponent of one variable in a monomial. */
export function withExponent(monomial: Monomial, name: string, exponent: number): Monomial {
  const changed = new Map(monomial);
  if (exponent === 0) changed.delete(name);
  else changed.set(name, exponent);
  return changed;
}

/** Returns the number that a polynomial is; `undefined` if it has variables. */
export function constantOf(x: Polynomial): Rational | undefined {
  if (x.size === 0) return q.zero;
  return x.size === 1 ? x.get("")?.coefficient : undefined;
}

/** Writes a text that no other polynomial has. */
export function textOfPolynomial(x: Polynomial): string {
  return [...x.entries()]
    .map(([monomial, { coefficient }]) => `${rational.format(coefficient)}*${monomial}`)
    .sort()
    .join("+");
}

function productOf(x: Monomial, y: Monomial): Monomial {
  const product = new Map(x);
  for (const [name, exponent] of y) product.set(name, (product.get(name) ?? 0) + exponent);
  return product;
}

function textOf(monomial: Monomial): string {
  return [...monomial]
    .map(([name, exponent]) => `${name}^${exponent}`)
    .sort()
    .join("*");
}
