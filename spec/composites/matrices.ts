import type { Scope, Value } from "../construction/value.ts";
import { type AttributeSchema, arrayApi, indexEntryShape, nameSchema } from "../operators/index.ts";
import type { Composite } from "./composite.ts";
import { faultOf, refuseNoMatrix } from "./refusals.ts";
import { extentOf, sliceAlong } from "./slices.ts";

/** The name of the entry of Δ that holds the classes, and how many there are. */
export interface OneHotAttributes {
  readonly indices: string;
  readonly classes: number;
}

/** The diagonal lies so far above the main one; below it if negative. */
export interface OffsetAttributes {
  readonly offset: number;
}

const offsetSchema: AttributeSchema = {
  type: "integer",
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};

/** Returns the identity matrix of `order` rows. */
export function identityMatrix(scope: Scope, order: number): Value {
  const shape = [order, order];
  return scope.iota({ shape, axis: 0 }).equal(scope.iota({ shape, axis: 1 }));
}

/** Rows of the identity matrix. */
export const oneHot: Composite<OneHotAttributes> = {
  arity: 0,
  attributes: {
    indices: nameSchema,
    classes: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  },
  smoothness: "linear",
  summary: "for each index a row that is 1 there and 0 elsewhere",
  domain: "every index is at least 0 and below the number of classes",
  convention: "none needed",
  source: "https://docs.jax.dev/en/latest/_autosummary/jax.nn.one_hot.html",
  refuse: ({ indices }, _operands, environment) => {
    const shape = indexEntryShape(indices, environment);
    if (!shape.ok || shape.value.length === 1) return faultOf(shape);
    return {
      code: "graph/environment",
      message: "the indices are not of rank 1.",
      hint: "declare them as a list, and reshape the result",
    };
  },
  example: {
    attributes: { indices: "labels", classes: 3 },
    operands: [],
    environment: [{ name: "labels", shape: [2], kind: "index" }],
  },
  expand: (scope, { indices, classes }) => identityMatrix(scope, classes).take({ axis: 0, indices }),
};

/** The diagonal's square, row after row: each diagonal element is one more than a row further. */
export const diagonal: Composite<OffsetAttributes> = {
  arity: 1,
  attributes: { offset: offsetSchema },
  smoothness: "linear",
  summary: "the elements [..., i, i + offset] of matrices; none where the offset leaves the matrix",
  domain: "everywhere",
  convention: "none needed; the other elements get a cotangent of zero",
  source: arrayApi("linalg.diagonal"),
  refuse: (_attributes, [x = []]) => refuseNoMatrix(x),
  example: { attributes: { offset: 1 }, operands: [[2, 3]] },
  expand: (_scope, { offset }, x) => {
    const rank = x.shape.length;
    const top = Math.max(-offset, 0);
    const left = Math.max(offset, 0);
    const order = Math.max(0, Math.min(extentOf(x, rank - 2) - top, extentOf(x, rank - 1) - left));
    const rows = sliceAlong(x, rank - 2, order === 0 ? 0 : top, order === 0 ? 0 : top + order);
    const square = sliceAlong(rows, rank - 1, order === 0 ? 0 : left, order === 0 ? 0 : left + order);
    const flat = square.reshape({ shape: [...x.shape.slice(0, -2), order * order] });
    return sliceAlong(flat, rank - 2, 0, order * order, order + 1);
  },
};

/** Elements are chosen by position, never multiplied by 0: infinity times 0 would be a NaN. */
export const tril: Composite<OffsetAttributes> = {
  arity: 1,
  attributes: { offset: offsetSchema },
  smoothness: "linear",
  summary: "the matrices with zeros above the diagonal [..., i, i + offset]",
  domain: "everywhere; what is replaced contributes nothing, not even a NaN",
  convention: "none needed",
  source: arrayApi("tril"),
  refuse: (_attributes, [x = []]) => refuseNoMatrix(x),
  example: { attributes: { offset: 0 }, operands: [[2, 3]] },
  expand: (scope, { offset }, x) => isBelow(scope, x, offset + 1).where(x, 0),
};

export const triu: Composite<OffsetAttributes> = {
  arity: 1,
  attributes: { offset: offsetSchema },
  smoothness: "linear",
  summary: "the matrices with zeros below the diagonal [..., i, i + offset]",
  domain: "everywhere; what is replaced contributes nothing, not even a NaN",
  convention: "none needed",
  source: arrayApi("triu"),
  refuse: (_attributes, [x = []]) => refuseNoMatrix(x),
  example: { attributes: { offset: 0 }, operands: [[2, 3]] },
  expand: (scope, { offset }, x) => isBelow(scope, x, offset).where(0, x),
};

/** 1 below the diagonal at `offset` of the matrices of `x`, else 0. */
function isBelow(scope: Scope, x: Value, offset: number): Value {
  const shape = x.shape.slice(-2);
  const rank = x.shape.length;
  // Offsets beyond the matrix are all alike, and small numbers are exact in every precision.
  const place = Math.min(Math.max(offset, 0 - extentOf(x, rank - 2)), extentOf(x, rank - 1));
  return scope.iota({ shape, axis: 1 }).less(scope.iota({ shape, axis: 0 }).add(place));
}

/** The sum of a diagonal. */
export const trace: Composite<OffsetAttributes> = {
  arity: 1,
  attributes: { offset: offsetSchema },
  smoothness: "linear",
  summary: "the sum of the elements [..., i, i + offset] of matrices",
  domain: "everywhere; 0 where the offset leaves the matrix",
  convention: "none needed",
  source: arrayApi("linalg.trace"),
  refuse: (_attributes, [x = []]) => refuseNoMatrix(x),
  example: { attributes: { offset: 0 }, operands: [[3, 3]] },
  expand: (_scope, { offset }, x) =>
    x.diagonal({ offset }).sum({ axes: [x.shape.length - 2], keepdims: false }),
};
