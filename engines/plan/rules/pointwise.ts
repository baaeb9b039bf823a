import type { PrimitiveName } from "../../../spec/core.ts";
import { apply, type Expression, literal, type ScalarFunction } from "../expression.ts";
import type { Element, PointwiseRule } from "./rule.ts";

/** The primitives that compute each element from the elements of their operands at the same index. */
export type PointwiseName = Extract<
  PrimitiveName,
  | "stop_gradient"
  | "negative"
  | "exp"
  | "log"
  | "sin"
  | "cos"
  | "tanh"
  | "sqrt"
  | "relu"
  | "floor"
  | "expm1"
  | "log1p"
  | "log2"
  | "tan"
  | "asin"
  | "acos"
  | "atan"
  | "sinh"
  | "cosh"
  | "asinh"
  | "acosh"
  | "atanh"
  | "erf"
  | "add"
  | "subtract"
  | "multiply"
  | "divide"
  | "maximum"
  | "less"
  | "equal"
  | "pow"
  | "atan2"
  | "hypot"
  | "where"
>;

const zero = literal(0);
const one = literal(1);
const two = literal(2);

const negative = (x: Expression): Expression => apply("negative", x);
const add = (x: Expression, y: Expression): Expression => apply("add", x, y);
const subtract = (x: Expression, y: Expression): Expression => apply("subtract", x, y);
const multiply = (x: Expression, y: Expression): Expression => apply("multiply", x, y);
const divide = (x: Expression, y: Expression): Expression => apply("divide", x, y);
const square = (x: Expression): Expression => apply("multiply", x, x);
const root = (x: Expression): Expression => apply("sqrt", x);
const less = (x: Expression, y: Expression): Expression => apply("less", x, y);
const equal = (x: Expression, y: Expression): Expression => apply("equal", x, y);
const select = (condition: Expression, x: Expression, y: Expression): Expression =>
  apply("select", condition, x, y);

/** A smooth function of one operand; `scale` takes a tangent or a cotangent times the slope. */
function smooth(name: ScalarFunction, scale: (c: Expression, element: Element) => Expression): PointwiseRule {
  return {
    arity: 1,
    forward: ({ x }) => apply(name, x),
    push: (element, { xDot }) => scale(xDot, element),
    pull: (element, c) => [scale(c, element)],
  };
}

/** A function that jumps: its tangent is 0, and it hands nothing on. */
function stepped(arity: 1 | 2, name: ScalarFunction): PointwiseRule {
  return {
    arity,
    forward: ({ x, y }) => (arity === 1 ? apply(name, x) : apply(name, x, y)),
    push: undefined,
    pull: () => [],
  };
}

/** `√(1 − x²)`, which does not cancel. */
function leg(x: Expression): Expression {
  return root(multiply(subtract(one, x), add(one, x)));
}

/** 1 where `x` is the larger operand of `maximum`: not below `y`, which is not NaN. */
function isFirst({ x, y }: Pick<Element, "x" | "y">): Expression {
  return select(less(x, y), zero, equal(y, y));
}

/** `y x^(y−1)`, and 0 where `y` is. */
function powerSlope({ x, y }: Element, scale: (slope: Expression) => Expression): Expression {
  return select(equal(y, zero), scale(zero), scale(multiply(y, apply("pow", x, subtract(y, one)))));
}

/** `z ln x` for the value `z`, with 0 for the logarithm of 0. */
function powerTurn({ x, value }: Element): Expression {
  return multiply(value, select(equal(x, zero), zero, apply("log", x)));
}

/** The rule of each pointwise primitive. */
export const pointwiseRules: { readonly [K in PointwiseName]: PointwiseRule } = {
  stop_gradient: { arity: 1, forward: ({ x }) => x, push: undefined, pull: () => [] },
  negative: {
    arity: 1,
    forward: ({ x }) => negative(x),
    push: (_, { xDot }) => negative(xDot),
    pull: (_, c) => [negative(c)],
  },
  exp: smooth("exp", (c, { value }) => multiply(c, value)),
  log: smooth("log", (c, { x }) => divide(c, x)),
  sin: smooth("sin", (c, { x }) => multiply(c, apply("cos", x))),
  cos: smooth("cos", (c, { x }) => negative(multiply(c, apply("sin", x)))),
  tanh: smooth("tanh", (c, { value }) => multiply(c, subtract(one, square(value)))),
  sqrt: smooth("sqrt", (c, { value }) => divide(c, add(value, value))),
  relu: {
    arity: 1,
    // A NaN is neither above nor below 0, and comes out of the sum; −0 becomes +0.
    forward: ({ x }) => select(less(zero, x), x, select(less(x, zero), zero, add(x, zero))),
    push: ({ x }, { xDot }) => select(less(zero, x), xDot, zero),
    pull: ({ x }, c) => [select(less(zero, x), c, zero)],
  },
  floor: stepped(1, "floor"),
  expm1: smooth("expm1", (c, { x }) => multiply(c, apply("exp", x))),
  log1p: smooth("log1p", (c, { x }) => divide(c, add(one, x))),
  log2: smooth("log2", (c, { x }) => divide(divide(c, x), apply("log", two))),
  tan: smooth("tan", (c, { value }) => multiply(c, add(one, square(value)))),
  asin: smooth("asin", (c, { x }) => divide(c, leg(x))),
  acos: smooth("acos", (c, { x }) => negative(divide(c, leg(x)))),
  atan: smooth("atan", (c, { x }) => divide(c, add(one, square(x)))),
  sinh: smooth("sinh", (c, { x }) => multiply(c, apply("cosh", x))),
  cosh: smooth("cosh", (c, { x }) => multiply(c, apply("sinh", x))),
  asinh: smooth("asinh", (c, { x }) => divide(c, apply("hypot", one, x))),
  acosh: smooth("acosh", (c, { x }) => divide(c, multiply(root(subtract(x, one)), root(add(x, one))))),
  atanh: smooth("atanh", (c, { x }) => divide(c, multiply(subtract(one, x), add(one, x)))),
  erf: smooth("erf", (c, { x }) => {
    const steepest = divide(two, root(literal(Math.PI)));
    return multiply(c, multiply(steepest, apply("exp", negative(square(x)))));
  }),
  add: {
    arity: 2,
    forward: ({ x, y }) => add(x, y),
    push: (_, { xDot, yDot }) => add(xDot, yDot),
    pull: (_, c) => [c, c],
  },
  subtract: {
    arity: 2,
    forward: ({ x, y }) => subtract(x, y),
    push: (_, { xDot, yDot }) => subtract(xDot, yDot),
    pull: (_, c) => [c, negative(c)],
  },
  multiply: {
    arity: 2,
    forward: ({ x, y }) => multiply(x, y),
    push: ({ x, y }, { xDot, yDot }) => add(multiply(xDot, y), multiply(x, yDot)),
    pull: ({ x, y }, c) => [multiply(c, y), multiply(c, x)],
  },
  divide: {
    arity: 2,
    forward: ({ x, y }) => divide(x, y),
    push: ({ y, value }, { xDot, yDot }) => divide(subtract(xDot, multiply(value, yDot)), y),
    pull: ({ y, value }, c) => [divide(c, y), negative(divide(multiply(c, value), y))],
  },
  maximum: {
    arity: 2,
    forward: (element) => select(isFirst(element), element.x, element.y),
    push: (element, { xDot, yDot }) => select(isFirst(element), xDot, yDot),
    pull: (element, c) => [select(isFirst(element), c, zero), select(isFirst(element), zero, c)],
  },
  less: stepped(2, "less"),
  equal: stepped(2, "equal"),
  pow: {
    arity: 2,
    forward: ({ x, y }) => apply("pow", x, y),
    push: (element, { xDot, yDot }) => {
      const { x, y } = element;
      const along = select(
        equal(y, zero),
        zero,
        powerSlope(element, (slope) => multiply(slope, xDot)),
      );
      const isStill = select(less(x, zero), equal(yDot, zero), zero);
      return add(along, select(isStill, zero, multiply(powerTurn(element), yDot)));
    },
    pull: (element, c) => [
      powerSlope(element, (slope) => multiply(c, slope)),
      multiply(c, powerTurn(element)),
    ],
  },
  // The first operand is the ordinate.
  atan2: {
    arity: 2,
    forward: ({ x, y }) => apply("atan2", x, y),
    push: ({ x, y }, { xDot, yDot }) => {
      const h = apply("hypot", y, x);
      return divide(subtract(multiply(divide(y, h), xDot), multiply(divide(x, h), yDot)), h);
    },
    pull: ({ x, y }, c) => {
      const h = apply("hypot", y, x);
      return [multiply(c, divide(divide(y, h), h)), negative(multiply(c, divide(divide(x, h), h)))];
    },
  },
  hypot: {
    arity: 2,
    forward: ({ x, y }) => apply("hypot", x, y),
    push: ({ x, y, value }, { xDot, yDot }) =>
      add(multiply(divide(x, value), xDot), multiply(divide(y, value), yDot)),
    pull: ({ x, y, value }, c) => [multiply(c, divide(x, value)), multiply(c, divide(y, value))],
  },
  // The operands are condition, x, y.
  where: {
    arity: 3,
    forward: ({ x: condition, y: x, z: y }) => select(condition, x, y),
    push: ({ x: condition }, { yDot: xDot, zDot: yDot }) => select(condition, xDot, yDot),
    pull: ({ x: condition }, c) => [undefined, select(condition, c, zero), select(condition, zero, c)],
  },
};

/** Whether a primitive is pointwise. */
export function isPointwiseName(name: PrimitiveName): name is PointwiseName {
  return Object.hasOwn(pointwiseRules, name);
}
