import type { Field, Ring } from "../../spec/shapes/index.ts";

/** A polynomial in variables 0, 1, …: coefficients by monomial, whose key lists its variables: `0.0.3`. */
export type Polynomial<S> = ReadonlyMap<string, S>;

/** Returns a coefficient alone. */
export function constantPolynomial<S>(x: S): Polynomial<S> {
  return new Map([["", x]]);
}

/** Returns a variable alone. */
export function variablePolynomial<S>(ring: Ring<S>, variable: number): Polynomial<S> {
  return new Map([[String(variable), ring.one]]);
}

/** Returns the polynomials over a commutative ring. A product costs the product of the numbers of terms. */
export function polynomialRing<S>(ring: Ring<S>): Ring<Polynomial<S>> {
  const sum = (p: Polynomial<S>, q: Polynomial<S>): Polynomial<S> => {
    const terms = new Map(p);
    for (const [key, x] of q) accumulate(ring, terms, key, x);
    return terms;
  };
  return {
    zero: new Map<string, S>(),
    one: constantPolynomial(ring.one),
    add: sum,
    detach: (p) => p,
    multiply: (p, q) => {
      const terms = new Map<string, S>();
      for (const [a, x] of p)
        for (const [b, y] of q) accumulate(ring, terms, keyOfProduct(a, b), ring.multiply(x, y));
      return terms;
    },
    literal: (x) => constantPolynomial(ring.literal(x)),
    negative: (p) => new Map([...p].map(([key, x]) => [key, ring.negative(x)])),
  };
}

function accumulate<S>(ring: Ring<S>, terms: Map<string, S>, key: string, x: S): void {
  const other = terms.get(key);
  terms.set(key, other === undefined ? x : ring.add(other, x));
}

const variablesOf = (key: string): number[] => (key === "" ? [] : key.split(".").map(Number));

function keyOfProduct(a: string, b: string): string {
  if (a === "" || b === "") return a + b;
  return [...variablesOf(a), ...variablesOf(b)].toSorted((x, y) => x - y).join(".");
}

/** The moments E xⁿ of one random number, by n. */
export type MomentSequence<S> = (degree: number) => S;

/** Returns the moments of the standard normal law: the ways to pair n things, `(n − 1)!!`, or 0 for odd n. */
export function normalMoments<S>(field: Field<S>): MomentSequence<S> {
  return (degree) => field.literal(degree % 2 === 0 ? pairings(degree) : 0);
}

function pairings(things: number): number {
  return things <= 1 ? 1 : (things - 1) * pairings(things - 2);
}

/** Returns E p for independent variables with these moments. By {@link normalMoments} it is Wick's rule. */
export function expectationOf<S>(ring: Ring<S>, p: Polynomial<S>, moments: MomentSequence<S>): S {
  let total = ring.zero;
  for (const [key, coefficient] of p) {
    const degrees = [...Map.groupBy(variablesOf(key), (variable) => variable).values()].map(
      ({ length }) => length,
    );
    total = ring.add(
      total,
      degrees.reduce((x, degree) => ring.multiply(x, moments(degree)), coefficient),
    );
  }
  return total;
}
