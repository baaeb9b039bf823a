import {
  type Arithmetic,
  accurateSlopes,
  type BinaryName,
  type Choices,
  forUnary,
  hasAccurateSlope,
  type PrimitiveName,
  type Scaled,
  type Sloped,
  type UnaryName,
  unaryFunctions,
} from "../../../../spec/operators/index.ts";
import { apply, type Expression, literal, type ScalarFunction } from "../expression.ts";
import { expressions } from "./algebra.ts";
import type { Element, PointwiseRule } from "./rule.ts";

/** The primitives that compute each element from those of their operands at the same index. */
export type PointwiseName = UnaryName | BinaryName | keyof Arithmetic | keyof Choices;

const zero = literal(0);
const one = literal(1);

const negative = (x: Expression): Expression => apply("negative", x);
const add = (x: Expression, y: Expression): Expression => apply("add", x, y);
const subtract = (x: Expression, y: Expression): Expression => apply("subtract", x, y);
const multiply = (x: Expression, y: Expression): Expression => apply("multiply", x, y);
const divide = (x: Expression, y: Expression): Expression => apply("divide", x, y);
const less = (x: Expression, y: Expression): Expression => apply("less", x, y);
const equal = (x: Expression, y: Expression): Expression => apply("equal", x, y);
const select = (condition: Expression, x: Expression, y: Expression): Expression =>
  apply("select", condition, x, y);

function scaled(c: Expression): Scaled<Expression> {
  return { times: (factor) => multiply(c, factor), over: (divisor) => divide(c, divisor) };
}

const sloped: Sloped<Expression, Expression> = { ...expressions, less, select };

/** Makes the rule of an elementary function of one operand, scaled by the accurate slope or the table's. */
function smooth(name: UnaryName): PointwiseRule {
  if (hasAccurateSlope(name)) {
    const slope = accurateSlopes[name];
    return {
      arity: 1,
      forward: ({ x }) => apply(name, x),
      push: ({ x }, { xDot }) => multiply(xDot, slope(sloped, x)),
      pull: ({ x }, c) => [multiply(c, slope(sloped, x))],
    };
  }
  const { scale } = unaryFunctions[name];
  return {
    arity: 1,
    forward: ({ x }) => apply(name, x),
    push: ({ x, value }, { xDot }) => scale(expressions, scaled(xDot), { x, y: value }),
    pull: ({ x, value }, c) => [scale(expressions, scaled(c), { x, y: value })],
  };
}

/** Makes the rule of a function that jumps: its tangent is 0, and it hands nothing on. */
function stepped(arity: 1 | 2, name: ScalarFunction): PointwiseRule {
  return {
    arity,
    forward: ({ x, y }) => (arity === 1 ? apply(name, x) : apply(name, x, y)),
    push: undefined,
    pull: () => [],
  };
}

/** Is 1 where `x` is the larger operand of `maximum`: not below `y`, and `y` is not NaN. */
function isFirst({ x, y }: Pick<Element, "x" | "y">): Expression {
  return select(less(x, y), zero, equal(y, y));
}

/** Gives `y x^(y−1)`, and 0 where `y` is 0. */
function powerSlope({ x, y }: Element, scale: (slope: Expression) => Expression): Expression {
  return select(equal(y, zero), scale(zero), scale(multiply(y, apply("pow", x, subtract(y, one)))));
}

/** Gives `z ln x` for the value `z`, with 0 for the logarithm of 0. */
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
  ...forUnary(smooth),
  relu: {
    arity: 1,
    // A NaN is neither above nor below 0, and passes through the sum; −0 becomes +0.
    forward: ({ x }) => select(less(zero, x), x, select(less(x, zero), zero, add(x, zero))),
    push: ({ x }, { xDot }) => select(less(zero, x), xDot, zero),
    pull: ({ x }, c) => [select(less(zero, x), c, zero)],
  },
  floor: stepped(1, "floor"),
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

/** Says whether a primitive is pointwise. */
export function isPointwiseName(name: PrimitiveName): name is PointwiseName {
  return Object.hasOwn(pointwiseRules, name);
}
