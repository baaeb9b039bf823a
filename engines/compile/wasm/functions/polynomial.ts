import { at } from "../../../../spec/shapes/index.ts";
import type { Lanes } from "./lanes.ts";
import type { Value } from "./library.ts";

/**
 * Computes `Σ coefficients[i] xⁱ` (one at least) by halving: pairs of terms are joined with `x`, then with
 * `x²` and so on, so that few operations wait for each other.
 */
export function polynomial(lanes: Lanes, coefficients: readonly number[], x: Value): Value {
  const halve = (terms: readonly Value[], power: Value): Value => {
    const first = at(terms, 0);
    if (terms.length === 1) return first;
    const joined = terms.flatMap((even, index) => {
      const odd = terms[index + 1];
      if (index % 2 === 1) return [];
      return [odd === undefined ? even : lanes.add(even, lanes.multiply(power, odd))];
    });
    return joined.length === 1 ? halve(joined, power) : halve(joined, lanes.multiply(power, power));
  };
  return halve(
    coefficients.map((coefficient) => lanes.number(coefficient)),
    x,
  );
}
