import type { NoAttributes } from "../../spec/index.ts";
import { type Rule, unary } from "./rule.ts";

/** sinh x, with derivative cosh x. */
export const sinh: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.sinh(x),
  (a, x, c) => a.multiply(c, a.cosh(x)),
);

/** cosh x, with derivative sinh x. */
export const cosh: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.cosh(x),
  (a, x, c) => a.multiply(c, a.sinh(x)),
);

/** arsinh x, with derivative 1/√(1 + x²), as a hypotenuse: x² would overflow. */
export const asinh: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.asinh(x),
  (a, x, c) => a.divide(c, a.hypot(a.one, x)),
);

/** arcosh x, with derivative 1/(√(x − 1) √(x + 1)): x² − 1 would cancel near 1 and overflow. */
export const acosh: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.acosh(x),
  (a, x, c) => a.divide(c, a.multiply(a.sqrt(a.add(x, a.negative(a.one))), a.sqrt(a.add(x, a.one)))),
);

/** artanh x, with derivative 1/((1 − x)(1 + x)): 1 − x² would cancel near ±1. */
export const atanh: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.atanh(x),
  (a, x, c) => a.divide(c, a.multiply(a.add(a.one, a.negative(x)), a.add(a.one, x))),
);
