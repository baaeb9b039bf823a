import { constantFrom, assert as holds, integer, property, array as someOf } from "fast-check";
import { describe, expect, test } from "vitest";
import { present } from "../../../spec/index.ts";
import { exactCentre } from "../centre/index.ts";
import { referenceStandard } from "../standard/standard.ts";
import { bounded } from "./algebra.ts";
import { given } from "./bounded.ts";
import { radius } from "./radius.ts";

const standard = referenceStandard("float32");
const field = present(bounded(exactCentre, standard).levels.field, "a field");

/** Returns the true quotient of a sum, and how far an honest engine's may be from it. */
function quotientOf(terms: readonly number[], divisor: number): { truth: number; reach: number } {
  const sum = terms.map((x) => given(exactCentre, standard, x)).reduce(field.add, field.zero);
  const quotient = field.divide(sum, given(exactCentre, standard, divisor));
  return { truth: exactCentre.approximate(quotient.centre), reach: radius(exactCentre, standard, quotient) };
}

describe("a sum that is divided", () => {
  const digits = someOf(integer({ min: -9, max: 9 }), { minLength: 2, maxLength: 4 });
  const least = 2 ** -149;
  const units = constantFrom(1, least, 3 * least, 2 ** 100, 2 ** 124);
  const divisors = constantFrom(1, 2, 3, -4, 0.5, 0.75, 7, 2 ** -8);

  test("may be added first, or divided first, term by term", () => {
    holds(
      property(digits, units, divisors, (terms, unit, divisor) => {
        const numbers = terms.map((x) => x * unit);
        const { truth, reach } = quotientOf(numbers, divisor);
        const add = (x: number, y: number): number => Math.fround(x + y);
        const addedFirst = Math.fround(numbers.reduce(add) / divisor);
        const dividedFirst = numbers.map((x) => Math.fround(x / divisor)).reduce(add);
        for (const answer of [addedFirst, dividedFirst])
          expect(Number.isNaN(reach) || Math.abs(answer - truth) <= reach).toBe(true);
      }),
      { seed: 41, numRuns: 2000 },
    );
  });

  test.each([1, 2, -4, 0.5, 2 ** -8])("is exact where its terms are, by the power of two %d", (divisor) => {
    holds(
      property(digits, (terms) => quotientOf(terms, divisor).reach === 0),
      { seed: 43, numRuns: 100 },
    );
  });

  test.each([3, 0.75, 7])("is not exact by %d", (divisor) => {
    expect(quotientOf([1, 1], divisor).reach).toBeGreaterThan(0);
  });
});
