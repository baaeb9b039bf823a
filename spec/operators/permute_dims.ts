import { ok, present, type Result } from "../result.ts";
import { type Shape, type ShapeFault, shapeFault } from "../shape.ts";
import { arrayApi, axesSchema, type Signature } from "./signature.ts";

/** Axis `i` of the result is axis `axes[i]` of the operand. */
export interface PermuteDimsAttributes {
  readonly axes: readonly number[];
}

export const permuteDims: Signature<"additive", PermuteDimsAttributes> = {
  needs: "additive",
  arity: 1,
  attributes: { axes: axesSchema },
  smoothness: "linear",
  shape({ axes }, [x = []]): Result<Shape, ShapeFault> {
    const isPermutation = axes.length === x.length && x.every((_, axis) => axes.includes(axis));
    if (isPermutation) return ok(axes.map((axis) => present(x[axis], "axis of a permutation")));
    return shapeFault(
      "shape/permutation",
      `[${axes.join(",")}] is not a permutation of ${x.length} axes.`,
      "name each axis of the operand once",
    );
  },
  summary: "x with its axes in another order",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("permute_dims"),
};
