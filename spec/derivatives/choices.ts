import type { Operand, Value } from "../construction/value.ts";
import type { Choices, NoAttributes } from "../operators/index.ts";
import { operandAt } from "./linear.ts";
import type { Applied, DerivativeRule, DerivativesOf } from "./rule.ts";

/** Functions with steps have a derivative of zero. */
const steps: DerivativeRule<NoAttributes> = {
  cotangents: () => [],
  tangent: () => undefined,
};

/** Returns `first` where x is the larger or y is not, `second` where y is the larger or NaN. */
function ofLarger(at: Applied<NoAttributes>, first: Operand, second: Operand): Value {
  const { scope } = at;
  const [x, y] = [operandAt(at, 0), operandAt(at, 1)];
  const unordered = scope.where(y.equal(y), first, second);
  return scope.where(x.less(y), second, scope.where(y.less(x), first, unordered));
}

function isAboveZero(at: Applied<NoAttributes>): Value {
  return at.scope.less(0, operandAt(at, 0));
}

/** Operators that compare: perturbations follow the chosen value; comparisons get no cotangent. */
export const choices: DerivativesOf<keyof Choices> = {
  relu: {
    cotangents: (at, c) => [() => at.scope.where(isAboveZero(at), c, 0)],
    tangent: (at, [dx]) => dx && at.scope.where(isAboveZero(at), dx, 0),
  },
  floor: steps,
  maximum: {
    cotangents: (at, c) => [() => ofLarger(at, c, 0), () => ofLarger(at, 0, c)],
    tangent: (at, [dx = 0, dy = 0]) => ofLarger(at, dx, dy),
  },
  less: steps,
  equal: steps,
  where: {
    cotangents: (at, c) => [
      undefined,
      () => at.scope.where(operandAt(at, 0), c, 0),
      () => at.scope.where(operandAt(at, 0), 0, c),
    ],
    tangent: (at, [, dx, dy]) => {
      const isStill = dx === undefined && dy === undefined;
      return isStill ? undefined : at.scope.where(operandAt(at, 0), dx ?? 0, dy ?? 0);
    },
  },
};
