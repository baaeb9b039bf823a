import {
  at,
  counted,
  formatShape,
  ok,
  type Result,
  type Shape,
  type ShapeFault,
  shapeFault,
  sizeOf,
  stridesOf,
} from "../shapes/index.ts";
import type { Index, Transform } from "./program.ts";

/**
 * A reference sees this of a location, whose elements are counted in row-major order: the element at `index`
 * is the location's at `offset + Σ index[axis] · strides[axis]`. A stride of 0 sees an element many times.
 */
export interface View {
  readonly offset: number;
  readonly shape: Shape;
  readonly strides: readonly number[];
}

/** Returns all of a location of this shape. */
export function wholeView(shape: Shape): View {
  return { offset: 0, shape, strides: stridesOf(shape) };
}

/** The positions that a view sees, in its own row-major order. Cost: linear in its elements. */
export function positionsOf({ offset, shape, strides }: View): number[] {
  let positions = [offset];
  for (const [axis, extent] of shape.entries()) {
    const stride = at(strides, axis);
    const next: number[] = [];
    for (const start of positions) for (let i = 0; i < extent; i++) next.push(start + i * stride);
    positions = next;
  }
  return positions;
}

/** Says whether a view sees elements that follow each other, in their order. */
export function isRowMajor({ shape, strides }: View): boolean {
  if (sizeOf(shape) === 0) return true;
  const dense = stridesOf(shape);
  return shape.every((extent, axis) => extent === 1 || strides[axis] === dense[axis]);
}

/** Says whether a view sees all of a location with so many elements, in their order. */
export function isWhole(view: View, size: number): boolean {
  return view.offset === 0 && sizeOf(view.shape) === size && isRowMajor(view);
}

/**
 * Tells whether a view sees some element twice; then nothing is written through it. Slices, permutations,
 * diagonals and whole reshapes see each once; a broadcast repeats along an axis without a stride. Cost:
 * linear in axes.
 */
export function seesTwice({ shape, strides }: View): boolean {
  return sizeOf(shape) > 0 && shape.some((extent, axis) => extent > 1 && strides[axis] === 0);
}

/** Says whether two views of one location share an element. Cost: linear in their elements. */
export function overlap(a: View, b: View): boolean {
  const seen = new Set(positionsOf(a));
  return positionsOf(b).some((position) => seen.has(position));
}

/**
 * Returns a view of what `view` sees; `undefined` if a reshape has no strides and so is a copy
 * [SEMANTICS §10.3].
 * Fails: `shape/…` if the transform does not fit; `program/index` if a counter leaves its axis.
 */
export function transformed(
  view: View,
  how: Transform,
  numberOf: (index: Index) => number,
): Result<View | undefined, ShapeFault> {
  switch (how.kind) {
    case "slice":
      return sliced(view, how.starts.map(numberOf), how.sizes, how.steps);
    case "permute":
      return permuted(view, how.axes);
    case "diagonal":
      return diagonal(view);
    case "broadcast":
      return broadcast(view, how.shape);
    case "reshape":
      return reshaped(view, how.shape);
  }
}

function sliced(
  { offset, shape, strides }: View,
  starts: readonly number[],
  sizes: readonly number[],
  steps: readonly number[],
): Result<View, ShapeFault> {
  const rank = shape.length;
  if (starts.length !== rank || sizes.length !== rank || steps.length !== rank) {
    return shapeFault(
      "shape/axes",
      `the reference has rank ${rank}, and the slice ${counted(starts.length, "start")}, ${counted(sizes.length, "size")}, ${counted(steps.length, "step")}.`,
      "give one of each for each axis, outermost first",
    );
  }
  for (const [axis, extent] of shape.entries()) {
    const [start, size] = [at(starts, axis), at(sizes, axis)];
    const last = start + Math.max(0, size - 1) * at(steps, axis);
    if (start >= 0 && (size === 0 ? start <= extent : last < extent)) continue;
    return shapeFault(
      "program/index",
      `the slice goes from ${start} to ${last} along axis ${axis}, whose extent is ${extent}.`,
      "indices count from 0 and are below the extent",
    );
  }
  const moved = starts.reduce((total, start, axis) => total + start * at(strides, axis), offset);
  return ok({
    offset: moved,
    shape: sizes,
    strides: strides.map((stride, axis) => stride * at(steps, axis)),
  });
}

function permuted({ offset, shape, strides }: View, axes: readonly number[]): Result<View, ShapeFault> {
  const isPermutation = axes.length === shape.length && shape.every((_, axis) => axes.includes(axis));
  if (!isPermutation) {
    return shapeFault(
      "shape/axes",
      `${formatShape(axes)} is no order of the ${shape.length} axes.`,
      "name each axis once",
    );
  }
  return ok({
    offset,
    shape: axes.map((axis) => at(shape, axis)),
    strides: axes.map((axis) => at(strides, axis)),
  });
}

function diagonal({ offset, shape, strides }: View): Result<View, ShapeFault> {
  const [rows, columns, ...others] = shape;
  if (rows === undefined || columns === undefined) {
    return shapeFault("shape/rank", "a diagonal has two axes.", "take one of a matrix");
  }
  const along = at(strides, 0) + at(strides, 1);
  return ok({
    offset,
    shape: [Math.min(rows, columns), ...others],
    strides: [along, ...strides.slice(2)],
  });
}

function broadcast({ offset, shape, strides }: View, wanted: Shape): Result<View, ShapeFault> {
  const missing = wanted.length - shape.length;
  const fits =
    missing >= 0 && shape.every((extent, axis) => extent === 1 || extent === wanted[axis + missing]);
  if (!fits) {
    return shapeFault(
      "shape/broadcast",
      `${formatShape(shape)} does not broadcast to ${formatShape(wanted)}.`,
      "extents must be equal or 1, counted from the last axis",
    );
  }
  const along = wanted.map((extent, axis) => {
    const own = axis - missing;
    return own < 0 || (shape[own] === 1 && extent !== 1) ? 0 : at(strides, own);
  });
  return ok({ offset, shape: wanted, strides: along });
}

function reshaped(view: View, shape: Shape): Result<View | undefined, ShapeFault> {
  if (sizeOf(shape) !== sizeOf(view.shape)) {
    return shapeFault(
      "shape/reshape",
      `${formatShape(view.shape)} and ${formatShape(shape)} have different numbers of elements.`,
      "a reshape keeps the elements",
    );
  }
  const strides = stridesAs(view, shape);
  return ok(strides && { offset: view.offset, shape, strides });
}

/**
 * Returns the strides that see a view's elements, in order, in another shape; `undefined` if there are none.
 * Axes that lie like one are a run, and each run must be a product of new axes.
 */
function stridesAs(view: View, shape: Shape): number[] | undefined {
  if (sizeOf(shape) === 0) return stridesOf(shape);
  const runs = runsOf(view);
  const strides = shape.map(() => 0);
  let run = runs.pop();
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const extent = at(shape, axis);
    if (extent === 1) continue;
    if (run?.extent === 1) run = runs.pop();
    if (run === undefined || run.extent % extent !== 0) return undefined;
    strides[axis] = run.stride;
    run = { extent: run.extent / extent, stride: run.stride * extent };
  }
  return strides;
}

/** Extents and strides, where axes of which the outer goes on where the inner ends are one. */
function runsOf({ shape, strides }: View): { readonly extent: number; readonly stride: number }[] {
  const runs: { extent: number; stride: number }[] = [];
  for (const [axis, extent] of shape.entries()) {
    const [stride, last] = [at(strides, axis), runs.at(-1)];
    if (extent === 1) continue;
    if (last !== undefined && last.stride === stride * extent)
      runs[runs.length - 1] = { extent: last.extent * extent, stride };
    else runs.push({ extent, stride });
  }
  return runs;
}
