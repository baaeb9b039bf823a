import type { Algebra, OrderedField } from "../../spec/shapes/index.ts";
import { type MaybeTruth, type Rational, rational, rationalFromNumber } from "./rational.ts";

/** The Mersenne prime 2⁶¹ − 1. */
export const modulus: bigint = 2n ** 61n - 1n;

/** A residue in `0 … p − 1`, or `−1n`, the element without value, like 1/0. Every operation passes it on. */
export type Residue = bigint;

const undefinedResidue: Residue = -1n;

/** Returns the residue of an integer. */
export function residue(x: bigint): Residue {
  const remainder = x % modulus;
  return remainder < 0n ? remainder + modulus : remainder;
}

/** Returns `x⁻¹` of a residue that is not 0, by Fermat's little theorem; of a power of two by 2⁶¹ ≡ 1. */
function inverse(x: Residue): Residue {
  if ((x & (x - 1n)) === 0n) return (modulus + 1n) / x;
  let [result, base, exponent] = [1n, x, modulus - 2n];
  while (exponent > 0n) {
    if (exponent & 1n) result = (result * base) % modulus;
    base = (base * base) % modulus;
    exponent >>= 1n;
  }
  return result;
}

/** Returns `f` of two residues, without value where one of them has none. */
function lift(f: (x: Residue, y: Residue) => bigint): (x: Residue, y: Residue) => Residue {
  return (x, y) => (x < 0n || y < 0n ? undefinedResidue : residue(f(x, y)));
}

/** The operations of {@link modular}, to build formal algebras on. */
export const modularOperations: OrderedField<Residue, MaybeTruth> = {
  zero: 0n,
  one: 1n,
  add: lift((x, y) => x + y),
  detach: (x) => x,
  multiply: lift((x, y) => x * y),
  literal: (x) => residueOf(rationalFromNumber(x)),
  negative: (x) => (x < 0n ? x : residue(-x)),
  divide: (x, y) => (x < 0n || y <= 0n ? undefinedResidue : residue(x * inverse(y))),
  less: (x, y) => (x < 0n || y < 0n ? undefined : x < y),
  equal: (x, y) => (x < 0n || y < 0n ? undefined : x === y),
  select: (condition, x, y) => (condition === undefined ? undefinedResidue : condition ? x : y),
  floor: (x) => x,
};

/** Returns `p/q` as a residue; without value where `q` is a multiple of the modulus. */
function residueOf({ numerator, denominator }: Rational): Residue {
  return modularOperations.divide(residue(numerator), residue(denominator));
}

/**
 * The integers modulo 2⁶¹ − 1: a field whose numbers never grow, so that an identity of polynomials can be
 * tested exactly at any size (Schwartz 1980, Zippel 1979). Its order is that of the representatives; it is
 * total but not the order of a field, and piecewise operators mean no more than a choice here.
 */
export const modular: Algebra<Residue, MaybeTruth> = {
  name: "modular",
  additive: modularOperations,
  levels: {
    additive: modularOperations,
    semiring: modularOperations,
    ring: modularOperations,
    field: modularOperations,
    real: undefined,
    ordered: modularOperations,
    orderedField: modularOperations,
    orderedReal: undefined,
  },
  isSame: (x, y) => x === y,
  format: (x) => (x < 0n ? "undefined" : x.toString()),
  parse: (text) => {
    const x = rational.parse(text);
    return x && residueOf(x);
  },
};
