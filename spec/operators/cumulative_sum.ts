import { ok, type Result } from "../result.ts";
import type { Shape, ShapeFault } from "../shape.ts";
import { arrayApi, axisSchema, existingAxis, type Signature } from "./signature.ts";

/** The axis along which sums run. */
export interface CumulativeSumAttributes {
  readonly axis: number;
}

export const cumulativeSum: Signature<"additive", CumulativeSumAttributes> = {
  needs: "additive",
  arity: 1,
  attributes: { axis: axisSchema },
  smoothness: "linear",
  shape({ axis }, [x = []]): Result<Shape, ShapeFault> {
    const exists = existingAxis(axis, x.length);
    return exists.ok ? ok(x) : exists;
  },
  summary: "at index i along the axis the sum of the elements up to and with i",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("cumulative_sum"),
};
