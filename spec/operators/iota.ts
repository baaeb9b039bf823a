import { ok, type Result } from "../result.ts";
import type { Shape, ShapeFault } from "../shape.ts";
import { axisSchema, existingAxis, type Signature, shapeSchema } from "./signature.ts";

/** The shape of the value, and the axis along which it counts. */
export interface IotaAttributes {
  readonly shape: Shape;
  readonly axis: number;
}

export const iota: Signature<"semiring", IotaAttributes> = {
  needs: "semiring",
  arity: 0,
  attributes: { shape: shapeSchema, axis: axisSchema },
  smoothness: "linear",
  shape({ shape, axis }): Result<Shape, ShapeFault> {
    const exists = existingAxis(axis, shape.length);
    return exists.ok ? ok(shape) : exists;
  },
  summary: "0, 1, 2, … along the axis, the same along all others",
  domain: "everywhere",
  convention: "none needed",
  source: "https://openxla.org/stablehlo/spec#iota",
};
