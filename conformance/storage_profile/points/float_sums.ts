import fc from "fast-check";
import { compareRationals, type Rational, rational, rationalFromNumber } from "../../../reference/index.ts";
import { at, type Field, present } from "../../../spec/shapes/index.ts";
import type { Asked } from "../dialect.ts";
import { numbersBetween } from "../draws.ts";
import { answered, drawnLaw, held, type Law } from "../law.ts";

const fround = Math.fround;

const field: Field<Rational> = present(rational.levels.field, "the rational numbers");

type Terms = Asked["float_dot"];

const sums: fc.Arbitrary<Terms> = fc
  .record({
    pairs: fc.array(fc.tuple(numbersBetween(-9, 9), numbersBetween(-9, 9)), {
      minLength: 1,
      maxLength: 40,
    }),
    exponent: fc.integer({ min: -10, max: 10 }),
  })
  .map(({ pairs, exponent }) => ({
    left: pairs.map(([x]) => fround(x * 2 ** exponent)),
    right: pairs.map(([, y]) => fround(y)),
  }));

/**
 * Returns the exact sum and its bound γₙ₊₁ ∑ |xᵢyᵢ| plus underflow, in any order, fused or not. float64 holds
 * products of two float32 exactly. Source: Higham, Accuracy and Stability…, §3.1.
 */
function sumOf({ left, right }: Terms): { readonly exact: Rational; readonly far: Rational } {
  const products = left.map((x, i) => x * at(right, i));
  const total = (terms: readonly number[]): Rational =>
    terms.reduce((sum, x) => field.add(sum, rationalFromNumber(x)), field.zero);
  const unit = (left.length + 1) * 2 ** -24;
  const gamma = rationalFromNumber((unit / (1 - unit)) * (1 + 2 ** -50));
  const underflow = rationalFromNumber(left.length * 2 ** -149);
  return {
    exact: total(products),
    far: field.add(field.multiply(gamma, total(products.map(Math.abs))), underflow),
  };
}

/** These laws state point 13: float sums, compared with the exact sum and not with other implementations. */
export const floatSumLaws: readonly Law[] = [
  drawnLaw("a sum of float32 products is within its bound of the exact one", {
    over: () => sums,
    holds: (framework, terms) =>
      answered(framework, "float_dot", terms, (sum, breaks) => {
        const { exact, far } = sumOf(terms);
        if (!Number.isFinite(sum)) return breaks(rational.format(exact));
        const difference = field.add(rationalFromNumber(sum), field.negative(exact));
        const size = difference.numerator < 0n ? field.negative(difference) : difference;
        return compareRationals(size, far) === 1
          ? breaks(
              `${Number(exact.numerator) / Number(exact.denominator)} within ${Number(far.numerator) / Number(far.denominator)}`,
            )
          : held;
      }),
  }),
];
