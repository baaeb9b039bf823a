import { ok, type Result } from "../result.ts";
import { formatShape, type Shape, type ShapeFault, shapeFault } from "../shape.ts";
import {
  arrayApi,
  axisSchema,
  existingAxis,
  indexEntryShape,
  nameSchema,
  type Signature,
} from "./signature.ts";

/** The axis, and the name of the entry of Δ that holds an index for each element of the result. */
export interface TakeAlongAxisAttributes {
  readonly axis: number;
  readonly indices: string;
}

export const takeAlongAxis: Signature<"additive", TakeAlongAxisAttributes> = {
  needs: "additive",
  arity: 1,
  attributes: { axis: axisSchema, indices: nameSchema },
  smoothness: "linear",
  shape({ axis, indices }, [x = []], environment): Result<Shape, ShapeFault> {
    const exists = existingAxis(axis, x.length);
    if (!exists.ok) return exists;
    const entry = indexEntryShape(indices, environment);
    if (!entry.ok) return entry;
    const shape = entry.value;
    const fits = shape.length === x.length && x.every((extent, i) => i === axis || extent === shape[i]);
    if (fits) return ok(shape);
    return shapeFault(
      "shape/mismatch",
      `the indices have shape ${formatShape(shape)}, and x has ${formatShape(x)}.`,
      `outside axis ${axis} the extents must be equal; nothing is broadcast`,
    );
  },
  indexUse: ({ axis, indices }, [x = []]) => ({ name: indices, limits: [x[axis] ?? 0] }),
  summary:
    "for each element of the indices, the element of x there along the axis and at its own place otherwise",
  domain: "every index is at least 0 and below the axis's extent",
  convention: "none needed; cotangents of an element taken twice add up",
  source: arrayApi("take_along_axis"),
};
