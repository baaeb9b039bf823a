import type { Arithmetic } from "../operators/index.ts";
import { operandAt } from "./linear.ts";
import { type DerivativesOf, plus } from "./rule.ts";

/** Arithmetic, element by element. */
export const arithmetic: DerivativesOf<keyof Arithmetic> = {
  stop_gradient: { cotangents: () => [undefined], tangent: () => undefined },
  negative: {
    cotangents: (_at, c) => [() => c.negative()],
    tangent: (_at, [dx]) => dx?.negative(),
  },
  add: {
    cotangents: (_at, c) => [() => c, () => c],
    tangent: (_at, [dx, dy]) => plus(dx, dy),
  },
  subtract: {
    cotangents: (_at, c) => [() => c, () => c.negative()],
    tangent: (_at, [dx, dy]) =>
      dx !== undefined && dy !== undefined ? dx.subtract(dy) : (dx ?? dy?.negative()),
  },
  multiply: {
    cotangents: (at, c) => [() => c.multiply(operandAt(at, 1)), () => c.multiply(operandAt(at, 0))],
    tangent: (at, [dx, dy]) => plus(dx?.multiply(operandAt(at, 1)), dy && operandAt(at, 0).multiply(dy)),
  },
  /** q = x / y: c/y, and −(c q)/y; forward (dx − q dy)/y. */
  divide: {
    cotangents: (at, c) => [
      () => c.divide(operandAt(at, 1)),
      () => c.multiply(at.value).divide(operandAt(at, 1)).negative(),
    ],
    tangent: (at, [dx, dy]) => {
      const moved = dy && at.value.multiply(dy);
      const risen = moved === undefined ? dx : (dx?.subtract(moved) ?? moved.negative());
      return risen?.divide(operandAt(at, 1));
    },
  },
};
