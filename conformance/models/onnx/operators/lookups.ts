import type { Value } from "../../../../spec/builder/index.ts";
import { isSameShape, type Shape, sizeOf, stridesOf } from "../../../../spec/shapes/index.ts";
import type { Call, Rule } from "../call.ts";
import { known } from "../operand.ts";
import { cut } from "./movement.ts";

const gather: Rule = {
  operands: [2, 2],
  folds: "always",
  apply(call) {
    const axis = call.axis(call.int("axis", 0));
    const x = call.value(0);
    const indices = call.constant(1, "indices");
    const at = call.counted(call.integers(1, "indices"), x.shape[axis] ?? 0);
    const shape = [...x.shape.slice(0, axis), ...indices.shape, ...x.shape.slice(axis + 1)];
    call.fitting(shape);
    const [only = 0] = at;
    // One place is a cut, for which no entry of Δ is needed.
    if (at.length === 1) return cut(x, axis, only, only + 1).reshape({ shape });
    return x.take({ axis, indices: call.index([at.length], at) }).reshape({ shape });
  },
};

const gatherElements: Rule = {
  operands: [2, 2],
  folds: "always",
  apply(call) {
    const axis = call.axis(call.int("axis", 0));
    const { shape } = call.constant(1, "indices");
    const at = call.counted(call.integers(1, "indices"), call.shape()[axis] ?? 0);
    // Along the other axes the indices may be shorter than x.
    const x = call.value(0).slice({
      starts: shape.map(() => 0),
      stops: shape.map((extent, other) => (other === axis ? (call.shape()[axis] ?? 0) : extent)),
      steps: shape.map(() => 1),
    });
    return x.take_along_axis({ axis, indices: call.index(shape, at) });
  },
};

/** Returns all places of a shape, row-major. */
function placesOf(shape: Shape): number[][] {
  const strides = stridesOf(shape);
  return Array.from({ length: sizeOf(shape) }, (_, flat) =>
    shape.map((extent, axis) => Math.floor(flat / (strides[axis] ?? 1)) % Math.max(1, extent)),
  );
}

/** Returns rows of indices counted from the front of the axes of x from the first on. */
function rowsOf(call: Call, place: number, x: Shape, first = 0): { shape: Shape; rows: number[][] } {
  const { shape } = call.constant(place, "indices");
  const depth = shape.at(-1) ?? 0;
  const flat = call.integers(place, "indices");
  if (shape.length === 0 || depth < 1 || depth + first > x.length)
    return call.refuse("its indices do not fit.", "the last axis holds an index for each axis of the data");
  const rows = Array.from({ length: flat.length / depth }, (_, row) =>
    flat
      .slice(row * depth, (row + 1) * depth)
      .flatMap((index, axis) => call.counted([index], x[first + axis] ?? 0)),
  );
  return { shape, rows };
}

const gatherNd: Rule = {
  operands: [2, 2],
  folds: "always",
  apply(call) {
    const batch = call.int("batch_dims", 0);
    const x = call.value(0);
    if (batch < 0 || batch >= call.rank) return call.refuse(`it has ${batch} batch_dims.`, "use fewer");
    const { shape, rows } = rowsOf(call, 1, x.shape, batch);
    const lead = shape.slice(0, batch);
    if (!isSameShape(lead, x.shape.slice(0, batch)))
      return call.refuse("its batches do not fit.", "data and indices have the same first axes");
    const places = placesOf(shape.slice(0, -1));
    const full = rows.map((row, at) => [...(places[at] ?? []).slice(0, batch), ...row]);
    const depth = (shape.at(-1) ?? 0) + batch;
    return x.gather({ indices: call.index([...shape.slice(0, -1), depth], full.flat()) });
  },
};

/** Writes updates at rows: adds them, or puts them in place of what is there. */
function scattered(
  call: Call,
  x: Value,
  updates: Value,
  rows: readonly (readonly number[])[],
  shape: Shape,
): Value {
  const reduction = call.text("reduction", "none");
  const depth = shape.at(-1) ?? 0;
  const indices = call.index(shape, rows.flat());
  if (reduction === "add") return x.scatter_add(updates, { indices });
  if (reduction !== "none")
    return call.refuse(`its reduction is ${reduction}.`, "none and add are what a graph can say");
  const keys = rows.map((row) => row.join());
  if (new Set(keys).size < keys.length)
    return call.refuse(
      "it writes to one place twice, in no order.",
      "give each index once, or reduction add",
    );
  const zeros = call.builder.full({ shape: x.shape, value: 0 });
  const strides = stridesOf(x.shape);
  const block = strides[depth - 1] ?? 1;
  const mask = new Float64Array(call.listing(sizeOf(x.shape)));
  for (const row of rows) {
    const start = row.reduce((sum, index, axis) => sum + index * (strides[axis] ?? 1), 0);
    mask.fill(1, start, start + block);
  }
  const isWritten = call.workshop.value(known(9, x.shape, mask, "written"));
  return isWritten.where(zeros.scatter_add(updates, { indices }), x);
}

const scatterNd: Rule = {
  operands: [3, 3],
  folds: "always",
  apply(call) {
    const x = call.value(0);
    const { shape, rows } = rowsOf(call, 1, x.shape);
    call.expectShape(2, [...shape.slice(0, -1), ...x.shape.slice(shape.at(-1))]);
    return scattered(call, x, call.value(2), rows, shape);
  },
};

const scatterElements: Rule = {
  operands: [3, 3],
  folds: "always",
  apply(call) {
    const axis = call.axis(call.int("axis", 0));
    const x = call.value(0);
    const { shape } = call.constant(1, "indices");
    call.expectShape(2, shape);
    const at = call.counted(call.integers(1, "indices"), x.shape[axis] ?? 0);
    const rows = placesOf(shape).map((place, flat) =>
      place.map((index, other) => (other === axis ? (at[flat] ?? 0) : index)),
    );
    if (shape.length !== x.shape.length || shape.some((extent, other) => extent > (x.shape[other] ?? 0)))
      return call.refuse("its indices do not fit.", "indices lie within the data along every axis");
    return scattered(call, x, call.value(2), rows, [...shape, x.shape.length]);
  },
};

const oneHot: Rule = {
  operands: [3, 3],
  apply(call) {
    const indices = call.constant(0, "indices");
    const depth = call.number(1, "depth");
    const { type } = call.operand(2);
    const [off = 0, on = 1] = call.constant(2, "values").data;
    const rank = indices.shape.length + 1;
    const axis = call.axis(call.int("axis", -1), rank);
    const shape = [...indices.shape.slice(0, axis), depth, ...indices.shape.slice(axis)];
    call.listing(sizeOf(call.fitting(shape)));
    const data = new Float64Array(sizeOf(shape)).fill(off);
    const inner = sizeOf(indices.shape.slice(axis));
    for (const [place, index] of call.integers(0, "indices").entries()) {
      const counted = index < 0 ? index + depth : index;
      const row = Math.floor(place / inner) * depth * inner + (place % inner);
      if (counted >= 0 && counted < depth) data[row + counted * inner] = on;
    }
    return known(type, shape, data);
  },
};

const compress: Rule = {
  operands: [2, 2],
  folds: "always",
  apply(call) {
    const chosen = call.integers(1, "condition").flatMap((isTrue, at) => (isTrue === 0 ? [] : [at]));
    const isFlat = !call.has("axis");
    const x = isFlat ? call.value(0).reshape({ shape: [sizeOf(call.shape())] }) : call.value(0);
    const axis = isFlat ? 0 : call.axis(call.int("axis", 0));
    const at = call.counted(chosen, x.shape[axis] ?? 0);
    return x.take({ axis, indices: call.index([at.length], at) });
  },
};

const nonZero: Rule = {
  operands: [1, 1],
  apply(call) {
    const { shape, data } = call.constant(0, "operand");
    call.listing(data.length);
    const places = placesOf(shape).filter((_, flat) => data[flat] !== 0);
    const rank = shape.length;
    const rows = Array.from({ length: rank }, (_, axis) => places.map((place) => place[axis] ?? 0));
    return known(7, [rank, places.length], rows.flat());
  },
};

/** Operators that pick elements by indices. */
export const lookups: Readonly<Record<string, Rule>> = {
  Compress: compress,
  Gather: gather,
  GatherElements: gatherElements,
  GatherND: gatherNd,
  NonZero: nonZero,
  OneHot: oneHot,
  ScatterElements: scatterElements,
  ScatterND: scatterNd,
};
