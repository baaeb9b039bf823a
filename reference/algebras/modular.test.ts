import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { present } from "../../spec/index.ts";
import { modular, modulus, residue } from "./modular.ts";
import { type Rational, rational } from "./rational.ts";
import { integers, rationals, residues } from "./scalars.test.kit.ts";

const field = present(modular.levels.field, "a field");

/** Returns x⁻¹ by Euclid's extended algorithm, which shares nothing with Fermat's theorem. */
function euclideanInverse(x: bigint): bigint {
  let [rest, next] = [modulus, x];
  let [factor, nextFactor] = [0n, 1n];
  while (next !== 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  return residue(factor);
}

describe("a residue", () => {
  it("is between 0 and p − 1 and differs from its integer by a multiple of p", () => {
    fc.assert(
      fc.property(integers, (n) => {
        const x = residue(n);
        return x >= 0n && x < modulus && (x - n) % modulus === 0n;
      }),
      { seed: 20 },
    );
  });

  it("is inverted as Euclid's algorithm inverts it", () => {
    fc.assert(
      fc.property(
        residues.filter((x) => x !== 0n),
        (x) => field.divide(1n, x) === euclideanInverse(x),
      ),
      { seed: 20, numRuns: 300 },
    );
  });

  it("stands for a rational number: sums, products and quotients of numbers go to those of residues", () => {
    const of = (x: Rational): bigint => field.divide(residue(x.numerator), residue(x.denominator));
    const exact = present(rational.levels.field, "a field");
    fc.assert(
      fc.property(rationals, rationals, (x, y) => {
        expect(of(exact.add(x, y))).toBe(field.add(of(x), of(y)));
        expect(of(exact.multiply(x, y))).toBe(field.multiply(of(x), of(y)));
        expect(of(exact.divide(x, y))).toBe(field.divide(of(x), of(y)));
        expect(of(x)).toBe(modular.parse(rational.format(x)));
      }),
      { seed: 20, numRuns: 200 },
    );
  });
});
