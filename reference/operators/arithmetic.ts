import type { Arithmetic } from "../../spec/operators/index.ts";
import { map } from "../tensor.ts";
import { binary, operand, type RulesOf, unary } from "./rule.ts";

/** Arithmetic, element by element. */
export const arithmetic: RulesOf<keyof Arithmetic> = {
  /** x; no cotangent passes. */
  stop_gradient: {
    forward: (application) => map(operand(application, 0), (x) => application.algebra.detach(x)),
    vjp: () => [undefined],
  },
  /** −x */
  negative: unary<"ring">(
    (a, x) => a.negative(x),
    (a, _x, c) => a.negative(c),
  ),
  /** x + y */
  add: binary<"additive">(
    (a, x, y) => a.add(x, y),
    (_a, _x, _y, c) => c,
    (_a, _x, _y, c) => c,
  ),
  /** x + (−y), which in IEEE arithmetic is x − y to the bit. */
  subtract: binary<"ring">(
    (a, x, y) => a.add(x, a.negative(y)),
    (_a, _x, _y, c) => c,
    (a, _x, _y, c) => a.negative(c),
  ),
  /** x · y */
  multiply: binary<"semiring">(
    (a, x, y) => a.multiply(x, y),
    (a, _x, y, c) => a.multiply(c, y),
    (a, x, _y, c) => a.multiply(c, x),
  ),
  /** q = x / y, with derivatives 1/y and −q/y. */
  divide: binary<"field">(
    (a, x, y) => a.divide(x, y),
    (a, _x, y, c) => a.divide(c, y),
    (a, x, y, c) => a.negative(a.divide(a.multiply(c, a.divide(x, y)), y)),
  ),
};
