import { moderateExp } from "./exponential.ts";
import type { VectorDefinition } from "./lanes.ts";
import { polynomial } from "./polynomial.ts";

/**
 * `erf` is odd by construction. With `a = |x|` it is `a + a P(a²)` up to 1, and `1 − exp Q(a − 1)` beyond,
 * where the difference `a − 1` is exact.
 */
export const erf: VectorDefinition = {
  name: "erf",
  write(lanes, x) {
    const { erf: near, erfTail, erfOne } = lanes.format.coefficients;
    const one = lanes.number(1);
    const absolute = lanes.absolute(x);
    const square = lanes.multiply(absolute, absolute);
    const inner = lanes.add(absolute, lanes.multiply(absolute, polynomial(lanes, near, square)));
    const beyond = lanes.subtract(lanes.atMost(absolute, lanes.number(erfOne)), one);
    const outer = lanes.subtract(one, moderateExp(lanes, polynomial(lanes, erfTail, beyond)));
    const result = lanes.select(lanes.less(absolute, one), inner, outer);
    return lanes.xor(result, lanes.and(x, lanes.sign()));
  },
};
