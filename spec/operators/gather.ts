import { ok, present, type Result } from "../result.ts";
import { formatShape, type Shape, type ShapeFault, shapeFault } from "../shape.ts";
import {
  type EnvironmentEntry,
  type IndexUse,
  indexEntryShape,
  nameSchema,
  onnx,
  type Signature,
} from "./signature.ts";

/** The name of the entry of Δ, of shape `[..., k]`, whose rows are indices into the first `k` axes of x. */
export interface GatherAttributes {
  readonly indices: string;
}

/**
 * The shape of what the rows of an index entry of shape `[..., k]` pick out of `x`: one block of the axes after the
 * first `k` for each row. Fails: `graph/environment`, `shape/rank`.
 */
export function gatheredShape(
  x: Shape,
  indices: string,
  environment: readonly EnvironmentEntry[],
): Result<Shape, ShapeFault> {
  const entry = indexEntryShape(indices, environment);
  if (!entry.ok) return entry;
  const depth = entry.value.at(-1) ?? 0;
  if (depth >= 1 && depth <= x.length) return ok([...entry.value.slice(0, -1), ...x.slice(depth)]);
  return shapeFault(
    "shape/rank",
    `the indices have shape ${formatShape(entry.value)}, and x has ${formatShape(x)}.`,
    "the last extent says how many axes of x a row indexes: at least 1, at most its rank",
  );
}

/** The first axes of `x` as the limits of an index entry's rows. */
export function rowsUse(x: Shape, name: string, environment: readonly EnvironmentEntry[]): IndexUse {
  const entry = environment.find((candidate) => candidate.name === name);
  return { name, limits: x.slice(0, present(entry?.shape.at(-1), "depth of an index entry")) };
}

export const gather: Signature<"additive", GatherAttributes> = {
  needs: "additive",
  arity: 1,
  attributes: { indices: nameSchema },
  smoothness: "linear",
  shape: ({ indices }, [x = []], environment) => gatheredShape(x, indices, environment),
  indexUse: ({ indices }, [x = []], environment) => rowsUse(x, indices, environment),
  summary: "for each row of the indices, the block of x there; a row may occur more than once",
  domain: "every index is at least 0 and below the extent of its axis",
  convention: "none needed; cotangents of a repeated row add up",
  source: onnx("GatherND"),
};
