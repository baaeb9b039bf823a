import { ok, type Result } from "../result.ts";
import { formatShape, type Shape, type ShapeFault, shapeFault } from "../shape.ts";
import { arrayApi, axisSchema, existingAxis, type Signature } from "./signature.ts";

/** The axis along which the operands are joined. */
export interface ConcatAttributes {
  readonly axis: number;
}

export const concat: Signature<"additive", ConcatAttributes> = {
  needs: "additive",
  arity: "some",
  attributes: { axis: axisSchema },
  smoothness: "linear",
  shape({ axis }, parents): Result<Shape, ShapeFault> {
    const first = parents[0] ?? [];
    const exists = existingAxis(axis, first.length);
    if (!exists.ok) return exists;
    const odd = parents.find(
      (shape) =>
        shape.length !== first.length || shape.some((extent, i) => i !== axis && extent !== first[i]),
    );
    if (odd !== undefined) {
      return shapeFault(
        "shape/mismatch",
        `${formatShape(first)} and ${formatShape(odd)} differ outside axis ${axis}.`,
        "all other extents must be equal",
      );
    }
    const joined = parents.reduce((total, shape) => total + (shape[axis] ?? 0), 0);
    return ok(first.map((extent, i) => (i === axis ? joined : extent)));
  },
  summary: "the operands one after the other along the axis",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("concat"),
};
