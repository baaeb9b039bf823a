import { type ScalarTerm, subterms, type Term } from "../../../reference/algebras/symbolic/index.ts";
import { rationalFromNumber } from "../../../reference/index.ts";
import { assertNever, InvariantError } from "../../../spec/shapes/index.ts";

/** A polynomial maps monomials (their variables sorted, with repetition) to nonzero integer coefficients. */
export type Polynomial = ReadonlyMap<string, bigint>;

/**
 * Expands terms to polynomials. Law: terms of +, ×, − and integers are equal for all values of their
 * variables, in a commutative ring of characteristic 0, exactly if their polynomials have the same entries.
 * Throws {@link InvariantError} for other operators. Cost: the number of monomials, which may be exponential.
 */
export function polynomialsOf(terms: readonly ScalarTerm[]): readonly Polynomial[] {
  const found = new Map<Term, Polynomial>();
  const polynomial = (term: Term): Polynomial => {
    const known = found.get(term);
    if (known === undefined) throw new InvariantError("a part comes before the whole");
    return known;
  };
  for (const term of subterms(terms)) found.set(term, polynomialOf(term, polynomial));
  return terms.map(polynomial);
}

function polynomialOf(term: Term, polynomial: (part: Term) => Polynomial): Polynomial {
  switch (term.kind) {
    case "literal": {
      const { numerator, denominator } = rationalFromNumber(term.value);
      if (denominator !== 1n) throw new InvariantError(`${term.value} is no integer`);
      return numerator === 0n ? new Map() : new Map([["", numerator]]);
    }
    case "variable":
      return new Map([[term.name, 1n]]);
    case "application": {
      const [x, y] = term.operands.map(polynomial);
      if (term.operator === "negative" && x) return times(x, new Map([["", -1n]]));
      if (term.operator === "add" && x && y) return plus(x, y);
      if (term.operator === "multiply" && x && y) return times(x, y);
      throw new InvariantError(`${term.operator} makes no polynomial`);
    }
    case "selection":
    case "comparison":
    case "truth":
      throw new InvariantError(`a ${term.kind} makes no polynomial`);
    default:
      return assertNever(term);
  }
}

function plus(x: Polynomial, y: Polynomial): Polynomial {
  const sum = new Map(x);
  for (const [monomial, coefficient] of y) put(sum, monomial, coefficient);
  return sum;
}

function times(x: Polynomial, y: Polynomial): Polynomial {
  const product = new Map<string, bigint>();
  for (const [left, p] of x) {
    for (const [right, q] of y) put(product, joined(left, right), p * q);
  }
  return product;
}

function put(polynomial: Map<string, bigint>, monomial: string, coefficient: bigint): void {
  const sum = (polynomial.get(monomial) ?? 0n) + coefficient;
  if (sum === 0n) polynomial.delete(monomial);
  else polynomial.set(monomial, sum);
}

function joined(left: string, right: string): string {
  if (left === "") return right;
  if (right === "") return left;
  return [...left.split(" "), ...right.split(" ")].sort().join(" ");
}

/** Tells whether two polynomials are the same. */
export function isSamePolynomial(x: Polynomial, y: Polynomial): boolean {
  return x.size === y.size && [...x].every(([monomial, coefficient]) => y.get(monomial) === coefficient);
}
