import type { ConcatAttributes } from "../../spec/operators/index.ts";
import { present, type Shape } from "../../spec/shapes/index.ts";
import { at, type Tensor, tensor } from "../tensor.ts";
import { coordinatesOf, gather, positionOf } from "./index_map.ts";
import type { Rule } from "./rule.ts";

/** Joins operands along an axis; its adjoint cuts the cotangent at the same places. Cost: linear. */
export const concat: Rule<"additive", ConcatAttributes> = {
  forward: ({ attributes: { axis }, operands, shape }) => {
    const cuts = cutsOf(operands, axis);
    const owners = operands.flatMap((part, which) =>
      Array.from({ length: extentOf(part, axis) }, () => ({ part, cut: present(cuts[which], "a cut") })),
    );
    return tensor(shape, (position) => {
      const coordinates = coordinatesOf(shape, position);
      const { part, cut } = present(owners[present(coordinates[axis], "a coordinate")], "an owner");
      return at(part, positionOf(part.shape, shifted(coordinates, axis, -cut)));
    });
  },
  vjp: ({ attributes: { axis }, operands }, cotangent) => {
    const cuts = cutsOf(operands, axis);
    return operands.map(({ shape }, which) => {
      const cut = present(cuts[which], "a cut");
      return gather(cotangent, shape, (position) =>
        positionOf(cotangent.shape, shifted(coordinatesOf(shape, position), axis, cut)),
      );
    });
  },
};

/** Says how far along the axis each operand begins. */
function cutsOf<S>(operands: readonly Tensor<S>[], axis: number): number[] {
  let end = 0;
  return operands.map((part) => {
    const cut = end;
    end += extentOf(part, axis);
    return cut;
  });
}

function extentOf<S>({ shape }: Tensor<S>, axis: number): number {
  return present(shape[axis], "an extent");
}

function shifted(coordinates: readonly number[], axis: number, by: number): Shape {
  return coordinates.map((coordinate, i) => (i === axis ? coordinate + by : coordinate));
}
