import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareRationals, rationalFromNumber, rationalOf } from "../algebras/rational.ts";
import { literalOf } from "./literals.ts";

const text = (value: number): string => {
  const { numerator, denominator } = literalOf(value);
  return `${numerator}/${denominator}`;
};

describe("the number that a literal is written for", () => {
  test.each([
    [1 / 3, "1/3"],
    [-2 / 3, "-2/3"],
    [0.1, "1/10"],
    [1.4, "7/5"],
    [0.75, "3/4"],
    [3, "3/1"],
    [0, "0/1"],
    [1e300, `${BigInt(1e300)}/1`],
    [5 / 7, "5/7"],
  ])("of %d is %s", (value, fraction) => {
    expect(text(value)).toBe(fraction);
  });

  test("rounds to the literal, and nothing simpler does", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: 2 ** -40, max: 2 ** 40 }), (value) => {
        const { numerator, denominator } = literalOf(value);
        // A quotient of two exact integers is rounded once.
        expect(Number(numerator) / Number(denominator)).toBe(value);
        expect(denominator <= rationalFromNumber(value).denominator).toBe(true);
      }),
    );
  });

  test("of a short fraction is the fraction, and no smaller denominator would do", () => {
    const short = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(short, short, (above, below) => {
        const wanted = rationalOf(BigInt(above), BigInt(below));
        expect(compareRationals(literalOf(above / below), wanted)).toBe(0);
        expect(compareRationals(literalOf(-above / below), rationalOf(BigInt(-above), BigInt(below)))).toBe(
          0,
        );
      }),
    );
  });
});
