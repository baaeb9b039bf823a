import type { BroadcastToAttributes } from "../../spec/operators/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";
import { coordinatesOf, gather, type IndexMap, positionOf, scatterAdd } from "./index_map.ts";
import { operand, type Rule } from "./rule.ts";

/** Repeats elements; its adjoint sums the repetitions. */
export const broadcastTo: Rule<"additive", BroadcastToAttributes> = {
  forward(application) {
    const x = operand(application, 0);
    return gather(x, application.shape, source(x.shape, application.shape));
  },
  vjp(application, cotangent) {
    const { shape } = operand(application, 0);
    return [scatterAdd(application.algebra, cotangent, shape, source(shape, application.shape))];
  },
};

/** Says which element of the operand an element of the result repeats. */
function source(from: Shape, to: Shape): IndexMap {
  const lead = to.length - from.length;
  return (position) => {
    const coordinates = coordinatesOf(to, position).slice(lead);
    return positionOf(
      from,
      coordinates.map((coordinate, axis) => (from[axis] === 1 ? 0 : coordinate)),
    );
  };
}
