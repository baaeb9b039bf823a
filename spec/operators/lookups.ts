import {
  formatShape,
  isSameShape,
  ok,
  present,
  type Result,
  type Shape,
  type ShapeFault,
  shapeFault,
} from "../shapes/index.ts";
import {
  arrayApi,
  axisSchema,
  type EnvironmentEntry,
  existingAxis,
  type IndexUse,
  indexEntryShape,
  nameSchema,
  onnx,
  type Signature,
} from "./signature.ts";

/** The axis, and the name of the entry of Δ that holds the indices, of rank 1. */
export interface TakeAttributes {
  readonly axis: number;
  readonly indices: string;
}

/** The axis, and the name of the entry of Δ that holds an index for each element of the result. */
export interface TakeAlongAxisAttributes {
  readonly axis: number;
  readonly indices: string;
}

/** The name of the entry of Δ, of shape `[..., k]`, whose rows are indices into the first `k` axes of x. */
export interface GatherAttributes {
  readonly indices: string;
}

/**
 * Returns the shape of what the rows of an index entry of shape `[..., k]` pick out of `x`: one block of the
 * axes after the first `k` for each row. Fails: `graph/environment`, `shape/rank`.
 */
function gatheredShape(
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
function rowsUse(x: Shape, name: string, environment: readonly EnvironmentEntry[]): IndexUse {
  const entry = environment.find((candidate) => candidate.name === name);
  return { name, limits: x.slice(0, present(entry?.shape.at(-1), "depth of an index entry")) };
}

/** The name of the entry of Δ, of shape `[..., k]`, whose rows are indices into the first `k` axes of x. */
export interface ScatterAddAttributes {
  readonly indices: string;
}

/** The signatures of lookups. */
export interface Lookups {
  readonly take: Signature<"additive", TakeAttributes>;
  readonly take_along_axis: Signature<"additive", TakeAlongAxisAttributes>;
  readonly gather: Signature<"additive", GatherAttributes>;
  readonly scatter_add: Signature<"additive", ScatterAddAttributes>;
}

/** These operators move elements as indices in Δ say. */
export const lookups: Lookups = {
  take: {
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
  },
  take_along_axis: {
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
  },
  gather: {
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
  },
  scatter_add: {
    needs: "additive",
    arity: 2,
    attributes: { indices: nameSchema },
    smoothness: "linear",
    shape({ indices }, [x = [], updates = []], environment): Result<Shape, ShapeFault> {
      const expected = gatheredShape(x, indices, environment);
      if (!expected.ok || isSameShape(expected.value, updates)) return expected.ok ? ok(x) : expected;
      return shapeFault(
        "shape/mismatch",
        `the updates have shape ${formatShape(updates)}, not ${formatShape(expected.value)}.`,
        "one block of x's last axes for each row of the indices",
      );
    },
    indexUse: ({ indices }, [x = []], environment) => rowsUse(x, indices, environment),
    summary:
      "x with each block of the updates added where its row of the indices says; parents are x, updates",
    domain: "every index is at least 0 and below the extent of its axis",
    convention: "none needed; updates of a repeated row all count",
    source: onnx("ScatterND"),
  },
};
