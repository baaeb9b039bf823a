import {
  type BinaryName,
  forUnary,
  type NoAttributes,
  type UnaryName,
  unaryFunctions,
} from "../../spec/operators/index.ts";
import { binary, type Rule, type RulesOf, unary } from "./rule.ts";

/** The function the algebra has of that name, and the cotangent times the slope that the table has. */
function smooth(name: UnaryName): Rule<"real", NoAttributes> {
  return unary<"real">(
    (a, x) => a[name](x),
    (a, x, c) => {
      const back = {
        times: (slope: typeof x) => a.multiply(c, slope),
        over: (by: typeof x) => a.divide(c, by),
      };
      // The value is computed where the slope is made of it.
      const place = {
        x,
        get y() {
          return a[name](x);
        },
      };
      return unaryFunctions[name].scale(a, back, place);
    },
  );
}

/**
 * The elementary functions. Those of one operand follow from spec/operators/elementary.ts. Forward mode
 * scales by the same slope, so adjointness holds by construction; that the slope is right is another
 * obligation.
 */
export const elementary: RulesOf<UnaryName | BinaryName> = {
  ...forUnary(smooth),
  /**
   * x^y, with derivatives y x^(y−1), which is 0 where y is 0, and x^y ln x, where 0 stands for ln 0: the
   * limit for y > 0, and JAX's choice for y = 0. Where x is negative ln x has no value.
   */
  pow: binary<"orderedReal">(
    (a, x, y) => a.pow(x, y),
    (a, x, y, c) =>
      a.multiply(
        c,
        a.select(a.equal(y, a.zero), a.zero, a.multiply(y, a.pow(x, a.add(y, a.negative(a.one))))),
      ),
    (a, x, y, c) => {
      const logarithm = a.select(a.equal(x, a.zero), a.zero, a.log(x));
      return a.multiply(c, a.multiply(a.pow(x, y), logarithm));
    },
  ),
  /** The angle of (x, y), with derivatives (x/h)/h by y and −(y/h)/h by x, since h² could overflow. */
  atan2: binary<"real">(
    (a, y, x) => a.atan2(y, x),
    (a, y, x, c) => {
      const h = a.hypot(x, y);
      return a.multiply(c, a.divide(a.divide(x, h), h));
    },
    (a, y, x, c) => {
      const h = a.hypot(x, y);
      return a.negative(a.multiply(c, a.divide(a.divide(y, h), h)));
    },
  ),
  /** h = √(x² + y²), with derivatives x/h and y/h. */
  hypot: binary<"real">(
    (a, x, y) => a.hypot(x, y),
    (a, x, y, c) => a.multiply(c, a.divide(x, a.hypot(x, y))),
    (a, x, y, c) => a.multiply(c, a.divide(y, a.hypot(x, y))),
  ),
};
