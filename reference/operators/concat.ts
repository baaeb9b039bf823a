import { type ConcatAttributes, present, type Shape } from "../../spec/index.ts";
import { at, type Tensor, tensor } from "../tensor.ts";
import { coordinatesOf, gather, positionOf } from "./index_map.ts";
import { operand, type Rule } from "./rule.ts";

/** Joins operands along an axis; its adjoint cuts the cotangent at the same places. */
export const concat: Rule<"additive", ConcatAttributes> = {
  forward: ({ attributes: { axis }, operands, shape }) =>
    tensor(shape, (position) => {
      const coordinates = coordinatesOf(shape, position);
      const { part, offset } = partAt(operands, axis, present(coordinates[axis], "a coordinate"));
      return at(part, positionOf(part.shape, shifted(coordinates, axis, -offset)));
    }),
  vjp: (application, cotangent) => {
    const { axis } = application.attributes;
    return application.operands.map(({ shape }, which) => {
      const offset = extentBefore(application.operands, axis, which);
      return gather(cotangent, shape, (position) =>
        positionOf(cotangent.shape, shifted(coordinatesOf(shape, position), axis, offset)),
      );
    });
  },
};

/** How far along the axis the operand `which` begins. */
function extentBefore<S>(operands: readonly Tensor<S>[], axis: number, which: number): number {
  return operands.slice(0, which).reduce((total, { shape }) => total + present(shape[axis], "an extent"), 0);
}

/** The operand that holds `coordinate` of the joined axis, and where it begins. */
function partAt<S>(
  operands: readonly Tensor<S>[],
  axis: number,
  coordinate: number,
): { part: Tensor<S>; offset: number } {
  const which = operands.findIndex((_, i) => coordinate < extentBefore(operands, axis, i + 1));
  return { part: operand({ operands }, which), offset: extentBefore(operands, axis, which) };
}

function shifted(coordinates: readonly number[], axis: number, by: number): Shape {
  return coordinates.map((coordinate, i) => (i === axis ? coordinate + by : coordinate));
}
