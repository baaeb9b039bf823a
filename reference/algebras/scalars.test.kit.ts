import fc from "fast-check";
import type { Dual } from "./dual.ts";
import { modulus, type Residue, residue } from "./modular.ts";
import { type Rational, rationalOf } from "./rational.ts";

/** Integers, mostly small, so that zeros and ties are not rare. */
export const integers: fc.Arbitrary<bigint> = fc.oneof(
  { weight: 3, arbitrary: fc.bigInt({ min: -3n, max: 3n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }) },
);

/** Residues: small integers of either sign, and any. */
export const residues: fc.Arbitrary<Residue> = fc.oneof(
  fc.bigInt({ min: -3n, max: 3n }).map(residue),
  fc.bigInt({ min: 0n, max: modulus - 1n }),
);

/** Rational numbers that have a value. */
export const rationals: fc.Arbitrary<Rational> = fc
  .tuple(integers, fc.bigInt({ min: 1n, max: 12n }))
  .map(([numerator, denominator]) => rationalOf(numerator, denominator));

/** Dual numbers of two scalars drawn alike. */
export function duals<S>(scalars: fc.Arbitrary<S>): fc.Arbitrary<Dual<S>> {
  return fc.record({ x: scalars, xDot: scalars });
}
