import { ok, type Result } from "../result.ts";
import { type Shape, type ShapeFault, shapeFault } from "../shape.ts";
import { arrayApi, axesSchema, existingAxis, type Signature } from "./signature.ts";

/** Which axes are summed away (`[]`: none), and whether they stay with extent 1. */
export interface SumAttributes {
  readonly axes: readonly number[];
  readonly keepdims: boolean;
}

export const sum: Signature<"additive", SumAttributes> = {
  needs: "additive",
  arity: 1,
  attributes: { axes: axesSchema, keepdims: { type: "boolean" } },
  smoothness: "linear",
  shape({ axes, keepdims }, [x = []]): Result<Shape, ShapeFault> {
    for (const axis of axes) {
      const exists = existingAxis(axis, x.length);
      if (!exists.ok) return exists;
    }
    if (new Set(axes).size < axes.length) {
      return shapeFault("shape/axis-twice", "an axis is named twice.", "name each axis once");
    }
    if (keepdims) return ok(x.map((extent, axis) => (axes.includes(axis) ? 1 : extent)));
    return ok(x.filter((_, axis) => !axes.includes(axis)));
  },
  summary: "the sum over the axes; zero where there is nothing to sum",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("sum"),
};
