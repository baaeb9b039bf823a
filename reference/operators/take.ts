import type { TakeAttributes } from "../../spec/operators/index.ts";
import { present, type Shape } from "../../spec/shapes/index.ts";
import { indexEntry } from "../environment.ts";
import { coordinatesOf, gather, type IndexMap, indexFault, positionOf, scatterAdd } from "./index_map.ts";
import { operand, type Rule } from "./rule.ts";

/** Picks entries along an axis; cotangents of an entry picked twice add up. */
export const take: Rule<"additive", TakeAttributes> = {
  forward(application) {
    const { attributes, environment, shape } = application;
    const x = operand(application, 0);
    return gather(
      x,
      shape,
      source(x.shape, shape, attributes.axis, indexEntry(environment, attributes.indices)),
    );
  },
  vjp(application, cotangent) {
    const { attributes, environment, algebra } = application;
    const { shape } = operand(application, 0);
    const indices = indexEntry(environment, attributes.indices);
    return [
      scatterAdd(algebra, cotangent, shape, source(shape, application.shape, attributes.axis, indices)),
    ];
  },
  validate({ attributes: { axis, indices }, environment, ...application }) {
    const extent = present(operand(application, 0).shape[axis], "an extent");
    return indexFault("take/index", indices, indexEntry(environment, indices), [extent]);
  },
};

/** Says which element of the operand an element of the result is. */
function source(from: Shape, to: Shape, axis: number, indices: readonly number[]): IndexMap {
  return (position) =>
    positionOf(
      from,
      coordinatesOf(to, position).map((coordinate, i) =>
        i === axis ? present(indices[coordinate], "index") : coordinate,
      ),
    );
}
