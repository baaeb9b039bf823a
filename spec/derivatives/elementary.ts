import type { Operand, Scope, Value } from "../construction/value.ts";
import {
  type BinaryName,
  forUnary,
  type NoAttributes,
  type Scaled,
  type UnaryName,
  unaryFunctions,
} from "../operators/index.ts";
import { InvariantError, type Real } from "../shapes/index.ts";
import { operandAt } from "./linear.ts";
import { type Applied, type DerivativeRule, type DerivativesOf, plus } from "./rule.ts";

/**
 * Makes an algebra whose elements are values of a graph: its operations append nodes. Numbers are elements
 * too, which take the shape of what they meet; of two of them sum and negative are numbers again.
 */
function written(scope: Scope): Real<Operand> {
  return {
    zero: 0,
    one: 1,
    literal: (x) => x,
    detach: (x) => (typeof x === "number" ? x : x.stop_gradient()),
    add: (x, y) => (typeof x === "number" && typeof y === "number" ? x + y : scope.add(x, y)),
    negative: (x) => (typeof x === "number" ? -x : x.negative()),
    multiply: (x, y) => scope.multiply(x, y),
    divide: (x, y) => scope.divide(x, y),
    atan2: (y, x) => scope.atan2(y, x),
    hypot: (x, y) => scope.hypot(x, y),
    ...forUnary(
      (name) =>
        (x: Operand): Operand =>
          scope[name](x),
    ),
  };
}

/** Makes the rule of a function of one operand: its row's slope scales tangent and cotangent. */
function smooth(name: UnaryName): DerivativeRule<NoAttributes> {
  const scaled = (at: Applied<NoAttributes>, perturbation: Scaled<Operand>): Value => {
    const place = {
      get x() {
        return operandAt(at, 0);
      },
      get y() {
        return at.value;
      },
    };
    const result = unaryFunctions[name].scale(written(at.scope), perturbation, place);
    if (typeof result === "number") throw new InvariantError("a slope times a value is a value");
    return result;
  };
  return {
    cotangents: (at, c) => [
      () =>
        scaled(at, {
          times: (slope) => at.scope.multiply(c, slope),
          over: (by) => at.scope.divide(c, by),
        }),
    ],
    tangent: (at, [dx]) =>
      dx &&
      scaled(at, {
        times: (slope) => at.scope.multiply(slope, dx),
        over: (by) => at.scope.divide(dx, by),
      }),
  };
}

/** (x/h)/h and (y/h)/h of `atan2(y, x)`, with h = hypot(x, y): the slopes by y and, negated, by x. */
function turns(at: Applied<NoAttributes>): { readonly byY: Value; readonly byX: Value; readonly h: Value } {
  const [y, x] = [operandAt(at, 0), operandAt(at, 1)];
  const h = x.hypot(y);
  return {
    h,
    get byY() {
      return x.divide(h);
    },
    get byX() {
      return y.divide(h);
    },
  };
}

/**
 * Returns the slope of x^y by x, y x^(y−1). Where y is 0 it is y/x times x^y, whose factors are finite where
 * x^(−1) is not and whose slope by y is still 1/x. Where x is 0 too it is 0 by convention; the division there
 * is by 1, so that what is not chosen is finite and gives no 0 · ∞ in the second derivative.
 */
function steepness(at: Applied<NoAttributes>): Value {
  const { scope } = at;
  const [x, y] = [operandAt(at, 0), operandAt(at, 1)];
  const isFlat = scope.equal(y, 0);
  const isCorner = scope.equal(x, 0).multiply(isFlat);
  const base = scope.where(isCorner, 1, x);
  const lowered = scope.where(isFlat, y, scope.subtract(y, 1));
  return scope.where(isCorner, 0, y.divide(scope.where(isFlat, base, 1)).multiply(base.pow(lowered)));
}

/** Returns x^y log x, with 0 for log x where x is 0, and the logarithm of 1 taken instead. */
function growth(at: Applied<NoAttributes>): Value {
  const { scope } = at;
  const x = operandAt(at, 0);
  const isZero = scope.equal(x, 0);
  return at.value.multiply(scope.where(isZero, 0, scope.where(isZero, 1, x).log()));
}

/** The elementary functions. spec/operators/elementary.ts has the slopes of those of one operand. */
export const elementary: DerivativesOf<UnaryName | BinaryName> = {
  ...forUnary(smooth),
  pow: {
    cotangents: (at, c) => [() => c.multiply(steepness(at)), () => c.multiply(growth(at))],
    tangent: (at, [dx, dy]) => plus(dx && steepness(at).multiply(dx), dy && growth(at).multiply(dy)),
  },
  atan2: {
    cotangents: (at, c) => {
      return [
        () => {
          const { byY, h } = turns(at);
          return c.multiply(byY.divide(h));
        },
        () => {
          const { byX, h } = turns(at);
          return c.multiply(byX.divide(h)).negative();
        },
      ];
    },
    tangent: (at, [dy, dx]) => {
      const { byY, byX, h } = turns(at);
      const [along, across] = [dy && byY.multiply(dy), dx && byX.multiply(dx)];
      const turned = across === undefined ? along : (along?.subtract(across) ?? across.negative());
      return turned?.divide(h);
    },
  },
  hypot: {
    cotangents: (at, c) => [0, 1].map((place) => () => c.multiply(operandAt(at, place).divide(at.value))),
    tangent: (at, tangents) =>
      tangents
        .map((dx, place) => dx && operandAt(at, place).divide(at.value).multiply(dx))
        .reduce<Value | undefined>(plus, undefined),
  },
};
