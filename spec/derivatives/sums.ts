import type { Value } from "../construction/value.ts";
import type { Sums } from "../operators/index.ts";
import { isSameShape } from "../shapes/index.ts";
import { linear, operandAt, reversed, shapeOfOperand } from "./linear.ts";
import { type DerivativesOf, plus } from "./rule.ts";

/** Returns each matrix of a stack with rows and columns exchanged. */
export function transposed(x: Value): Value {
  const [last, other] = [x.shape.length - 1, x.shape.length - 2];
  return x.permute_dims({
    axes: x.shape.map((_, axis) => (axis === last ? other : axis === other ? last : axis)),
  });
}

/** These operators add elements up. */
export const sums: DerivativesOf<keyof Sums> = {
  sum: linear((at, c) => {
    const shape = shapeOfOperand(at);
    const kept = shape.map((extent, axis) => (at.attributes.axes.includes(axis) ? 1 : extent));
    const standing = isSameShape(c.shape, kept) ? c : c.reshape({ shape: kept });
    return isSameShape(kept, shape) ? standing : standing.broadcast_to({ shape });
  }),
  cumulative_sum: linear(({ attributes: { axis } }, c) =>
    reversed(reversed(c, [axis]).cumulative_sum({ axis }), [axis]),
  ),
  matmul: {
    cotangents: (at, c) => [
      () => c.matmul(transposed(operandAt(at, 1))),
      () => transposed(operandAt(at, 0)).matmul(c),
    ],
    tangent: (at, [dx, dy]) => plus(dx?.matmul(operandAt(at, 1)), dy && operandAt(at, 0).matmul(dy)),
  },
};
