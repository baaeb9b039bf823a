import { addExponents, type Exponent, exponentOf, formatExponent, multiplyExponents } from "./exponent.ts";

/**
 * A dimension: a rational exponent for each base, none of which is 0. Dimensions are a vector space over the
 * rationals, written multiplicatively: the product of two has the sums of their exponents.
 */
export type Dimension = ReadonlyMap<string, Exponent>;

/** The dimension of a number. */
export const dimensionless: Dimension = new Map();

/** Returns one base to the power 1. */
export function baseDimension(base: string): Dimension {
  return new Map([[base, exponentOf(1n)]]);
}

/** Returns the product. */
export function productOf(x: Dimension, y: Dimension): Dimension {
  const sum = new Map(x);
  for (const [base, exponent] of y) {
    const known = sum.get(base);
    const total = known === undefined ? exponent : addExponents(known, exponent);
    if (total.numerator === 0n) sum.delete(base);
    else sum.set(base, total);
  }
  return sum;
}

/** Returns the power. Law: `power(x, a + b)` is the product of `power(x, a)` and `power(x, b)`. */
export function powerOf(x: Dimension, exponent: Exponent): Dimension {
  if (exponent.numerator === 0n) return dimensionless;
  return new Map([...x].map(([base, own]) => [base, multiplyExponents(own, exponent)]));
}

/** Returns `x` divided by `y`. */
export function quotientOf(x: Dimension, y: Dimension): Dimension {
  return productOf(x, powerOf(y, exponentOf(-1n)));
}

/** Says whether two dimensions are the same. */
export function isSameDimension(x: Dimension, y: Dimension): boolean {
  return quotientOf(x, y).size === 0;
}

/** Returns `kg·m·s⁻²`, bases in the order of `bases` and then as they come; `1` for a number. */
export function formatDimension(dimension: Dimension, bases: readonly string[] = []): string {
  if (dimension.size === 0) return "1";
  const places = new Map(bases.map((base, place) => [base, place]));
  const place = ([base]: [string, Exponent]): number => places.get(base) ?? bases.length;
  return [...dimension]
    .sort((a, b) => place(a) - place(b))
    .map(([base, exponent]) => `${base}${formatExponent(exponent)}`)
    .join("·");
}
