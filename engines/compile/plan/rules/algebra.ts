import { forUnary } from "../../../../spec/operators/index.ts";
import type { Real } from "../../../../spec/shapes/index.ts";
import { apply, type Expression, literal } from "../expression.ts";

const zero: Expression = literal(0);

/**
 * Expressions as an algebra, so that the specification's formulas become a loop's body. Sums of equal
 * literals and π/2 are computed here without rounding error; x + (−y) is x − y, the same number in IEEE 754.
 */
export const expressions: Real<Expression> = {
  zero,
  one: literal(1),
  add: (x, y) => {
    if (x.kind === "literal" && x === y) return literal(x.value + x.value);
    return y.kind === "apply" && y.function === "negative"
      ? apply("subtract", x, ...y.operands)
      : apply("add", x, y);
  },
  detach: (x) => x,
  multiply: (x, y) => apply("multiply", x, y),
  literal,
  negative: (x) => apply("negative", x),
  divide: (x, y) => apply("divide", x, y),
  ...forUnary((name) => (x: Expression) => apply(name, x)),
  acos: (x) => (x === zero ? literal(Math.PI / 2) : apply("acos", x)),
  atan2: (y, x) => apply("atan2", y, x),
  hypot: (x, y) => apply("hypot", x, y),
};
