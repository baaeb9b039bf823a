import type { GatherAttributes, ScatterAddAttributes } from "../../spec/operators/index.ts";
import { present, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { type Environment, shapedIndexEntry } from "../environment.ts";
import {
  addAt,
  gather as gathered,
  type IndexMap,
  indexFault,
  positionOf,
  scatterAdd as scattered,
} from "./index_map.ts";
import { type Application, operand, type Rule } from "./rule.ts";

/** Picks blocks by rows of indices; cotangents of a block picked twice add up. */
export const gather: Rule<"additive", GatherAttributes> = {
  forward({ attributes: { indices }, environment, shape, ...application }) {
    const x = operand(application, 0);
    return gathered(x, shape, source(x.shape, environment, indices));
  },
  vjp({ algebra, attributes: { indices }, environment, ...application }, cotangent) {
    const { shape } = operand(application, 0);
    return [scattered(algebra, cotangent, shape, source(shape, environment, indices))];
  },
  validate: (application) => rowFault("gather/index", application),
};

/** Adds blocks where rows of indices say, in row-major order; each update receives what its block does. */
export const scatterAdd: Rule<"additive", ScatterAddAttributes> = {
  forward({ algebra, attributes: { indices }, environment, ...application }) {
    const x = operand(application, 0);
    return addAt(algebra, x, operand(application, 1), source(x.shape, environment, indices));
  },
  vjp({ attributes: { indices }, environment, ...application }, cotangent) {
    const { shape } = operand(application, 1);
    return [cotangent, gathered(cotangent, shape, source(cotangent.shape, environment, indices))];
  },
  validate: (application) => rowFault("scatter/index", application),
};

/** Says which element of x the result has: row `r` of the indices, and within that block the element. */
function source<S>(x: Shape, environment: Environment<S>, name: string): IndexMap {
  const { shape, indices } = shapedIndexEntry(environment, name);
  const depth = present(shape.at(-1), "depth of an index entry");
  const inner = sizeOf(x.slice(depth));
  return (position) => {
    const row = Math.floor(position / inner);
    return (
      positionOf(x.slice(0, depth), indices.slice(row * depth, (row + 1) * depth)) * inner +
      (position % inner)
    );
  };
}

function rowFault<S, B>(
  code: string,
  {
    attributes: { indices: name },
    environment,
    ...application
  }: Application<"additive", GatherAttributes, S, B>,
): ReturnType<typeof indexFault> {
  const { shape, indices } = shapedIndexEntry(environment, name);
  return indexFault(code, name, indices, operand(application, 0).shape.slice(0, shape.at(-1)));
}
