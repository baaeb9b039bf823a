import type { NoAttributes, Real } from "../../spec/index.ts";
import { binary, type Rule, unary } from "./rule.ts";

/** tan x, with derivative 1 + tan² x. */
export const tan: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.tan(x),
  (a, x, c) => {
    const t = a.tan(x);
    return a.multiply(c, a.add(a.one, a.multiply(t, t)));
  },
);

/** arcsin x, with derivative 1/√(1 − x²). */
export const asin: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.asin(x),
  (a, x, c) => a.divide(c, leg(a, x)),
);

/** arccos x, with derivative −1/√(1 − x²). */
export const acos: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.acos(x),
  (a, x, c) => a.negative(a.divide(c, leg(a, x))),
);

/** √(1 − x²) as √((1 − x)(1 + x)): 1 − x² would cancel near ±1. */
function leg<S>(a: Real<S>, x: S): S {
  return a.sqrt(a.multiply(a.add(a.one, a.negative(x)), a.add(a.one, x)));
}

/** arctan x, with derivative 1/(1 + x²). */
export const atan: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.atan(x),
  (a, x, c) => a.divide(c, a.add(a.one, a.multiply(x, x))),
);

/** The angle of (x, y), with derivatives (x/h)/h by y and −(y/h)/h by x: h² would overflow, and underflow. */
export const atan2: Rule<"real", NoAttributes> = binary<"real">(
  (a, y, x) => a.atan2(y, x),
  (a, y, x, c) => {
    const h = a.hypot(x, y);
    return a.multiply(c, a.divide(a.divide(x, h), h));
  },
  (a, y, x, c) => {
    const h = a.hypot(x, y);
    return a.negative(a.multiply(c, a.divide(a.divide(y, h), h)));
  },
);

/** h = √(x² + y²), with derivatives x/h and y/h. */
export const hypot: Rule<"real", NoAttributes> = binary<"real">(
  (a, x, y) => a.hypot(x, y),
  (a, x, y, c) => a.multiply(c, a.divide(x, a.hypot(x, y))),
  (a, x, y, c) => a.multiply(c, a.divide(y, a.hypot(x, y))),
);
