import type { SumAttributes } from "../../spec/operators/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";
import { coordinatesOf, gather, type IndexMap, positionOf, scatterAdd } from "./index_map.ts";
import { operand, type Rule } from "./rule.ts";

/** Sums over axes in row-major order, starting at zero: the adjoint of a broadcast. */
export const sum: Rule<"additive", SumAttributes> = {
  forward(application) {
    const x = operand(application, 0);
    return scatterAdd(application.algebra, x, application.shape, target(x.shape, application.attributes));
  },
  vjp(application, cotangent) {
    const x = operand(application, 0);
    return [gather(cotangent, x.shape, target(x.shape, application.attributes))];
  },
};

/** Says which element of the sum an element of the operand goes to. */
function target(shape: Shape, { axes }: SumAttributes): IndexMap {
  const kept = shape.map((extent, axis) => (axes.includes(axis) ? 1 : extent));
  return (position) =>
    positionOf(
      kept,
      coordinatesOf(shape, position).map((coordinate, axis) => (axes.includes(axis) ? 0 : coordinate)),
    );
}
