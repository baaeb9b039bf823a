import { ok, present, type Result } from "../result.ts";
import { type Shape, type ShapeFault, shapeFault } from "../shape.ts";
import { arrayApi, axisSchema, existingAxis, nameSchema, type Signature } from "./signature.ts";

/** The axis, and the name of the entry of Δ that holds the indices, of rank 1. */
export interface TakeAttributes {
  readonly axis: number;
  readonly indices: string;
}

export const take: Signature<"additive", TakeAttributes> = {
  needs: "additive",
  arity: 1,
  attributes: { axis: axisSchema, indices: nameSchema },
  smoothness: "linear",
  shape({ axis, indices }, [x = []], environment): Result<Shape, ShapeFault> {
    const exists = existingAxis(axis, x.length);
    if (!exists.ok) return exists;
    const entry = environment.find(({ name }) => name === indices);
    if (entry === undefined || entry.kind !== "index" || entry.shape.length !== 1) {
      return shapeFault(
        "graph/environment",
        "the indices are not an environment entry of kind index and rank 1.",
        "declare them under environment, or name the right entry",
      );
    }
    return ok(x.map((extent, i) => (i === axis ? present(entry.shape[0], "extent of a vector") : extent)));
  },
  indexUse: ({ axis, indices }, [x = []]) => ({ name: indices, limits: [x[axis] ?? 0] }),
  summary: "the entries of x at the indices along the axis; an index may occur more than once",
  domain: "every index is at least 0 and below the axis's extent",
  convention: "none needed; cotangents of a repeated index add up",
  source: arrayApi("take"),
};
