import { moderateExp } from "./exponential.ts";
import type { VectorDefinition } from "./lanes.ts";
import { polynomial } from "./polynomial.ts";

/** Up to here `tanh` is a rational function; beyond, it is 1 less a quotient of at most ½. */
const BORDER = 9 / 16;

/** From here on `tanh` is 1 in both precisions. */
const ONE = 22;

/**
 * `tanh` is odd by construction. With `a = |x|` it is `a + a³ N(a²) / D(a²)` up to the border, and `1 − 2 /
 * (e²ᵃ + 1)` beyond, with one division for both.
 */
export const tanh: VectorDefinition = {
  name: "tanh",
  write(lanes, x) {
    const { tanhNumerator, tanhDenominator } = lanes.format.coefficients;
    const one = lanes.number(1);
    const absolute = lanes.absolute(x);
    const isSmall = lanes.less(absolute, lanes.number(BORDER));
    const square = lanes.multiply(absolute, absolute);
    const cube = lanes.multiply(absolute, square);
    const capped = lanes.atMost(absolute, lanes.number(ONE));
    const power = moderateExp(lanes, lanes.add(capped, capped));
    const numerator = lanes.select(
      isSmall,
      lanes.multiply(cube, polynomial(lanes, tanhNumerator, square)),
      lanes.number(-2),
    );
    const denominator = lanes.select(
      isSmall,
      polynomial(lanes, tanhDenominator, square),
      lanes.add(power, one),
    );
    const result = lanes.add(lanes.select(isSmall, absolute, one), lanes.divide(numerator, denominator));
    return lanes.xor(result, lanes.and(x, lanes.sign()));
  },
};
