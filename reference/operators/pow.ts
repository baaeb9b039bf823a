import type { NoAttributes } from "../../spec/index.ts";
import { binary, type Rule } from "./rule.ts";

/**
 * x^y, with derivatives y x^(y−1), which is 0 where y is 0 though x^(−1) may be infinite, and x^y ln x, where 0 stands for
 * ln 0: the limit of x^y ln x for y > 0, and JAX's choice for y = 0. Where x is negative ln x has no value.
 */
export const pow: Rule<"orderedReal", NoAttributes> = binary<"orderedReal">(
  (a, x, y) => a.pow(x, y),
  (a, x, y, c) =>
    a.multiply(c, a.select(a.equal(y, a.zero), a.zero, a.multiply(y, a.pow(x, a.add(y, a.negative(a.one)))))),
  (a, x, y, c) => {
    const logarithm = a.select(a.equal(x, a.zero), a.zero, a.log(x));
    return a.multiply(c, a.multiply(a.pow(x, y), logarithm));
  },
);
