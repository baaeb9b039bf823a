import type { PadAttributes } from "../../spec/operators/index.ts";
import { present, type Shape } from "../../spec/shapes/index.ts";
import { at, tensor } from "../tensor.ts";
import { coordinatesOf, gather, type IndexMap, positionOf } from "./index_map.ts";
import { operand, type Rule } from "./rule.ts";

/** Zeros around and between the elements; its adjoint reads the cotangents where the elements went. */
export const pad: Rule<"additive", PadAttributes> = {
  forward({ algebra, attributes, shape, ...application }) {
    const x = operand(application, 0);
    const target = targetIn(shape, x.shape, attributes);
    const elements = new Map(x.data.map((_, position) => [target(position), at(x, position)]));
    return tensor(shape, (position) => elements.get(position) ?? algebra.zero);
  },
  vjp({ attributes, ...application }, cotangent) {
    const { shape } = operand(application, 0);
    return [gather(cotangent, shape, targetIn(cotangent.shape, shape, attributes))];
  },
};

/** Says where an element of the operand goes. */
function targetIn(to: Shape, from: Shape, { low, interior }: PadAttributes): IndexMap {
  return (position) =>
    positionOf(
      to,
      coordinatesOf(from, position).map(
        (coordinate, axis) =>
          present(low[axis], "zeros") + coordinate * (1 + present(interior[axis], "zeros")),
      ),
    );
}
