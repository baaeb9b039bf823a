import { type SliceAttributes, sliceAxis } from "../../spec/operators/index.ts";
import { at, type Shape } from "../../spec/shapes/index.ts";
import { coordinatesOf, gather, type IndexMap, positionOf, scatterAdd } from "./index_map.ts";
import { operand, type Rule } from "./rule.ts";

/** Every step-th element along each axis; what is left out gets a cotangent of zero. */
export const slice: Rule<"additive", SliceAttributes> = {
  forward(application) {
    const x = operand(application, 0);
    return gather(x, application.shape, source(x.shape, application.shape, application.attributes));
  },
  vjp(application, cotangent) {
    const { shape } = operand(application, 0);
    const { algebra, attributes } = application;
    return [scatterAdd(algebra, cotangent, shape, source(shape, application.shape, attributes))];
  },
};

/** Coordinate `i` of the result is the `i`-th index that the slice of the axis holds. */
function source(from: Shape, to: Shape, { starts, stops, steps }: SliceAttributes): IndexMap {
  const along = from.map((extent, axis) => {
    const step = at(steps, axis);
    const { first } = sliceAxis(extent, at(starts, axis), at(stops, axis), step);
    return (coordinate: number): number => first + step * coordinate;
  });
  return (position) =>
    positionOf(
      from,
      coordinatesOf(to, position).map((coordinate, axis) => at(along, axis)(coordinate)),
    );
}
