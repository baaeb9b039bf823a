import { ok, type Result } from "../result.ts";
import { formatShape, type Shape, type ShapeFault, shapeFault, sizeOf } from "../shape.ts";
import { arrayApi, type Signature, shapeSchema } from "./signature.ts";

/** The new shape, of the same size; no −1. */
export interface ReshapeAttributes {
  readonly shape: Shape;
}

export const reshape: Signature<"additive", ReshapeAttributes> = {
  needs: "additive",
  arity: 1,
  attributes: { shape: shapeSchema },
  smoothness: "linear",
  shape({ shape }, [x = []]): Result<Shape, ShapeFault> {
    if (sizeOf(shape) === sizeOf(x)) return ok(shape);
    return shapeFault(
      "shape/reshape",
      `${formatShape(x)} has ${sizeOf(x)} elements, ${formatShape(shape)} has ${sizeOf(shape)}.`,
      "the sizes must be equal; -1 is not allowed",
    );
  },
  summary: "the same elements in row-major order, in another shape",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("reshape"),
};
