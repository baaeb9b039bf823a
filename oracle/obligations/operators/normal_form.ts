import { type ScalarTerm, subterms, type Term } from "../../../reference/algebras/symbolic/index.ts";
import { rational, rationalFromNumber } from "../../../reference/index.ts";
import { InvariantError, present } from "../../../spec/shapes/index.ts";
import {
  addPolynomials,
  collected,
  constantOf,
  constantPolynomial,
  degreeIn,
  multiplyPolynomials,
  negatePolynomial,
  type Polynomial,
  powerOf,
  scalePolynomial,
  textOfPolynomial,
  variablePolynomial,
  withExponent,
  zeroPolynomial,
} from "../polynomial.ts";
import type { ValueSymbol } from "./purify.ts";

/** Maps a polynomial's text to its sign; its first coefficient is 1. */
type Signs = ReadonlyMap<string, -1 | 0 | 1>;

/** A comparison depends on a polynomial whose sign is not known. */
interface Split {
  readonly split: string;
}

/**
 * Tells whether two terms of an ordered ring are equal for all reals: in every case that their comparisons
 * distinguish, as polynomials, modulo what `symbols` satisfy (a reciprocal's `r y = 1`, a root's `s² = x`,
 * `h² = x² + y²`). `true` is a proof; `false` means that normal forms differ in some case. Cost: three
 * cases for each comparison.
 */
export function isIdentity(
  left: ScalarTerm,
  right: ScalarTerm,
  symbols: readonly ValueSymbol[],
  signs: Signs = new Map(),
): boolean {
  const polynomials = polynomialsOf([left, right, ...symbols.flatMap(({ operands }) => operands)], signs);
  if ("split" in polynomials) {
    return ([-1, 0, 1] as const).every((sign) =>
      isIdentity(left, right, symbols, new Map([...signs, [polynomials.split, sign]])),
    );
  }
  const of = (term: ScalarTerm): Polynomial => present(polynomials.values.get(term), "a polynomial");
  const difference = addPolynomials(of(left), negatePolynomial(of(right)));
  return reduced(difference, symbols, of).polynomial.size === 0;
}

/** Computes the normal form of a term. Throws {@link InvariantError} if it has comparisons. */
export function polynomialOf(term: ScalarTerm): Polynomial {
  const found = polynomialsOf([term], new Map());
  if ("split" in found) throw new InvariantError(`the term compares ${found.split} with 0`);
  return present(found.values.get(term), "a polynomial");
}

/** A polynomial was multiplied by powers of denominators, which removed their reciprocals. */
export interface Cleared {
  readonly polynomial: Polynomial;
  /** Each reciprocal's name has the power of its denominator. */
  readonly powers: ReadonlyMap<string, number>;
}

/** Multiplies reciprocals away and replaces squares of roots, from the last symbol to the first. */
export function reduced(
  polynomial: Polynomial,
  symbols: readonly ValueSymbol[],
  of: (term: ScalarTerm) => Polynomial = polynomialOf,
): Cleared {
  const powers = new Map<string, number>();
  let rest = polynomial;
  for (const { name, operator, operands } of symbols.toReversed()) {
    const [x, y] = operands.map(of);
    if (operator === "reciprocal") {
      const power = degreeIn(rest, name);
      if (power > 0) powers.set(name, power);
      rest = replaced(rest, name, (exponent) => [powerOf(present(x, "a denominator"), power - exponent), 0]);
    } else if (operator === "sqrt" || operator === "hypot") {
      const square =
        y === undefined
          ? present(x, "an operand")
          : addPolynomials(powerOf(present(x, "a leg"), 2), powerOf(y, 2));
      rest = replaced(rest, name, (exponent) => [powerOf(square, Math.floor(exponent / 2)), exponent % 2]);
    }
  }
  return { polynomial: rest, powers };
}

/** Replaces each power of a variable in a polynomial by a factor times another power of it. */
function replaced(
  polynomial: Polynomial,
  name: string,
  by: (exponent: number) => readonly [factor: Polynomial, exponent: number],
): Polynomial {
  let sum = zeroPolynomial;
  for (const { coefficient, monomial } of polynomial.values()) {
    const [factor, exponent] = by(monomial.get(name) ?? 0);
    const kept = collected([{ coefficient, monomial: withExponent(monomial, name, exponent) }]);
    sum = addPolynomials(sum, multiplyPolynomials(factor, kept));
  }
  return sum;
}

function polynomialsOf(
  terms: readonly ScalarTerm[],
  signs: Signs,
): { readonly values: ReadonlyMap<Term, Polynomial> } | Split {
  const values = new Map<Term, Polynomial>();
  const truths = new Map<Term, boolean>();
  const value = (term: Term): Polynomial => present(values.get(term), "a polynomial");
  for (const term of subterms(terms)) {
    switch (term.kind) {
      case "literal":
        values.set(term, constantPolynomial(rationalFromNumber(term.value)));
        break;
      case "variable":
        values.set(
          term,
          signs.get(`1*${term.name}^1`) === 0 ? zeroPolynomial : variablePolynomial(term.name),
        );
        break;
      case "application":
        values.set(term, applied(term.operator, term.operands.map(value)));
        break;
      case "selection":
        values.set(term, value(truths.get(term.condition) ? term.yes : term.no));
        break;
      case "comparison": {
        const difference = addPolynomials(value(term.operands[0]), negatePolynomial(value(term.operands[1])));
        const sign = signOf(difference, signs);
        if (typeof sign !== "number") return sign;
        truths.set(term, term.operator === "less" ? sign < 0 : sign === 0);
        break;
      }
      case "truth":
        throw new InvariantError("a truth variable has no normal form");
    }
  }
  return { values };
}

function applied(operator: string, operands: readonly Polynomial[]): Polynomial {
  const [x, y] = [present(operands[0], "an operand"), operands[1]];
  switch (operator) {
    case "add":
      return addPolynomials(x, present(y, "a second operand"));
    case "multiply":
      return multiplyPolynomials(x, present(y, "a second operand"));
    case "negative":
      return negatePolynomial(x);
    // Nothing is known of it, so that equal normal forms are equal all the same.
    case "floor":
      return variablePolynomial(`floor(${textOfPolynomial(x)})`);
    default:
      throw new InvariantError(`${operator} is no operation of a ring`);
  }
}

/** Returns the sign of a polynomial if it is known, else the polynomial whose sign to ask for. */
function signOf(polynomial: Polynomial, signs: Signs): number | Split {
  const constant = constantOf(polynomial);
  if (constant !== undefined) return Number(constant.numerator > 0n) - Number(constant.numerator < 0n);
  const least = present([...polynomial.keys()].sort()[0], "a summand");
  const { coefficient } = present(polynomial.get(least), "a summand");
  const inverse = present(rational.levels.field, "a field").divide(rationalFromNumber(1), coefficient);
  const text = textOfPolynomial(scalePolynomial(polynomial, inverse));
  const sign = signs.get(text);
  return sign === undefined ? { split: text } : coefficient.numerator > 0n ? sign : -sign;
}
