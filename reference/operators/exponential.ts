import type { NoAttributes, Real } from "../../spec/index.ts";
import { type Rule, unary } from "./rule.ts";

/** eˣ − 1, with derivative eˣ: the value plus 1 would lose the digits of a small eˣ. */
export const expm1: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.expm1(x),
  (a, x, c) => a.multiply(c, a.exp(x)),
);

/** ln (1 + x), with derivative 1/(1 + x). */
export const log1p: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.log1p(x),
  (a, x, c) => a.divide(c, a.add(a.one, x)),
);

/** log₂ x, with derivative 1/(x ln 2), where the algebra says what ln 2 is: a literal would be rounded. */
export const log2: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.log2(x),
  (a, x, c) => a.divide(a.divide(c, x), a.log(a.add(a.one, a.one))),
);

/** erf x, with derivative 2/√π e^(−x²). */
export const erf: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.erf(x),
  (a, x, c) => a.multiply(c, a.multiply(steepest(a), a.exp(a.negative(a.multiply(x, x))))),
);

/**
 * 2/√π, where the algebra says what π is, as 2 arccos 0: a literal would be rounded, and arccos (−1) has no derivative, not
 * even that of a constant.
 */
function steepest<S>(a: Real<S>): S {
  const right = a.acos(a.zero);
  return a.divide(a.add(a.one, a.one), a.sqrt(a.add(right, right)));
}
