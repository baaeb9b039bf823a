import type { PermuteDimsAttributes } from "../../spec/operators/index.ts";
import { at, type Shape } from "../../spec/shapes/index.ts";
import { coordinatesOf, gather, type IndexMap, positionOf } from "./index_map.ts";
import { operand, type Rule } from "./rule.ts";

/** Reorders axes; its adjoint is the inverse permutation. */
export const permuteDims: Rule<"additive", PermuteDimsAttributes> = {
  forward({ attributes: { axes }, shape, ...application }) {
    const x = operand(application, 0);
    return gather(x, shape, source(x.shape, shape, axes));
  },
  vjp({ attributes: { axes }, ...application }, cotangent) {
    const { shape } = operand(application, 0);
    const inverse = axes.map((_, axis) => axes.indexOf(axis));
    return [gather(cotangent, shape, source(cotangent.shape, shape, inverse))];
  },
};

/** Coordinate `i` of the result is coordinate `axes[i]` of the operand. */
function source(from: Shape, to: Shape, axes: readonly number[]): IndexMap {
  return (position) => {
    const coordinates = coordinatesOf(to, position);
    return positionOf(
      from,
      from.map((_, axis) => at(coordinates, axes.indexOf(axis))),
    );
  };
}
