import type { TakeAlongAxisAttributes } from "../../spec/operators/index.ts";
import { present, type Shape } from "../../spec/shapes/index.ts";
import { indexEntry } from "../environment.ts";
import { coordinatesOf, gather, type IndexMap, indexFault, positionOf, scatterAdd } from "./index_map.ts";
import { operand, type Rule } from "./rule.ts";

/** Picks one entry along an axis for each place; cotangents of an element picked twice add up. */
export const takeAlongAxis: Rule<"additive", TakeAlongAxisAttributes> = {
  forward({ attributes: { axis, indices }, environment, shape, ...application }) {
    const x = operand(application, 0);
    return gather(x, shape, source(x.shape, shape, axis, indexEntry(environment, indices)));
  },
  vjp({ algebra, attributes: { axis, indices }, environment, ...application }, cotangent) {
    const { shape } = operand(application, 0);
    const map = source(shape, cotangent.shape, axis, indexEntry(environment, indices));
    return [scatterAdd(algebra, cotangent, shape, map)];
  },
  validate({ attributes: { axis, indices }, environment, ...application }) {
    const extent = present(operand(application, 0).shape[axis], "an extent");
    return indexFault("along/index", indices, indexEntry(environment, indices), [extent]);
  },
};

/** An element's own coordinates, but for the axis, where the indices say. */
function source(from: Shape, to: Shape, axis: number, indices: readonly number[]): IndexMap {
  return (position) =>
    positionOf(from, coordinatesOf(to, position).with(axis, present(indices[position], "index")));
}
