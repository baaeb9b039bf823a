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
 * Tells whether a view sees some element twice; then nothing is written through it. It does where it repeats
 * along an axis without a stride, or where windows overlap, and never where each stride is longer than all
 * that the shorter ones reach. Else positions are compared. Cost: linear in axes, or at worst in elements.
 */
export function seesTwice({ shape, strides }: View): boolean {
  const size = sizeOf(shape);
  if (size < 2) return false;
  const axes = shape
    .map((extent, axis) => ({ last: extent - 1, stride: Math.abs(at(strides, axis)) }))
    .filter(({ last }) => last > 0)
    .toSorted((a, b) => a.stride - b.stride);
  let reach = 0;
  let isNested = true;
  for (const { last, stride } of axes) {
    isNested &&= stride > reach;
    reach += last * stride;
  }
  if (isNested) return false;
  // There are fewer positions than elements, or some stride is 0.
  if (reach + 1 < size || axes[0]?.stride === 0) return true;
  return new Set(positionsOf({ offset: 0, shape, strides })).size < size;
}

/** Says whether two views of one location share an element. Cost: linear in their elements. */
export function overlap(a: View, b: View): boolean {
  const seen = new Set(positionsOf(a));
  return positionsOf(b).some((position) => seen.has(position));
}

/**
 * Returns a view of what `view` sees; `undefined` if a reshape has no strides and so is a copy
 * [SEMANTICS §10.3]. A place that `numberOf` does not know counts as 0 and is within its axis.
 * Fails: `shape/…` if the transform does not fit; `program/index` if a counter leaves its axis.
 */
export function transformed(
  view: View,
  how: Transform,
  numberOf: (index: Index) => number | undefined,
): Result<View | undefined, ShapeFault> {
  if (how.kind === "reshape") return reshaped(view, how.shape);
  const seen = axesSeen(view.shape, how);
  if (!seen.ok) return seen;
  const own = startsOf(how).map(numberOf);
  const starts = seen.value.starts ?? view.shape.map((_, axis) => (axis in own ? own[axis] : 0));
  return placed(view, starts, seen.value.axes);
}

/** Returns the shape that a transform makes, wherever counters stand. Fails: as {@link transformed}. */
export function shapeSeen(shape: Shape, how: Transform): Result<Shape, ShapeFault> {
  const view = transformed(wholeView(shape), how, knownNumber);
  return view.ok ? ok(view.value?.shape ?? shape) : view;
}

/** Returns a place that is a number, and `undefined` for a counter, which may stand anywhere. */
export function knownNumber(index: Index): number | undefined {
  return typeof index === "number" ? index : undefined;
}

/** Returns where a transform begins along the axes of what it transforms: counters, where it names some. */
export function startsOf(how: Transform): readonly Index[] {
  switch (how.kind) {
    case "slice":
      return how.starts;
    case "strided":
      return [how.start];
    default:
      return [];
  }
}

/** An axis of a view of a view: a step along it is so many steps along each axis of the view below. */
interface Axis {
  readonly extent: number;
  readonly steps: readonly (readonly [axis: number, step: number])[];
}

/** The axes that a transform makes, and the places where they begin if the transform names none itself. */
interface Seen {
  readonly axes: readonly Axis[];
  readonly starts?: readonly number[];
}

function axesSeen(
  shape: Shape,
  how: Exclude<Transform, { readonly kind: "reshape" }>,
): Result<Seen, ShapeFault> {
  switch (how.kind) {
    case "slice":
      return sliced(shape, how);
    case "permute":
      return permuted(shape, how.axes);
    case "diagonal":
      return diagonal(shape, how);
    case "unfold":
      return unfolded(shape, how);
    case "strided":
      return strided(shape, how);
    case "broadcast":
      return broadcast(shape, how.shape);
  }
}

/** Returns the view whose axes go along those of another, if it stays within them. */
function placed(
  { offset, shape, strides }: View,
  starts: readonly (number | undefined)[],
  axes: readonly Axis[],
): Result<View, ShapeFault> {
  for (const [axis, extent] of shape.entries()) {
    const start = starts[axis];
    if (start === undefined) continue;
    let [first, last] = [start, start];
    let isEmpty = false;
    for (const { extent: turns, steps } of axes) {
      for (const [along, step] of steps) {
        if (along !== axis) continue;
        isEmpty ||= turns === 0;
        if (step < 0) first += Math.max(0, turns - 1) * step;
        else last += Math.max(0, turns - 1) * step;
      }
    }
    const isWithin = isEmpty ? start <= extent : last < extent;
    if (isWithin && first >= 0) continue;
    return shapeFault(
      "program/index",
      `the view goes from ${first} to ${last} along axis ${axis}, whose extent is ${extent}.`,
      "indices count from 0 and are below the extent",
    );
  }
  return ok({
    offset: starts.reduce<number>((total, start = 0, axis) => total + start * at(strides, axis), offset),
    shape: axes.map(({ extent }) => extent),
    strides: axes.map(({ steps }) =>
      steps.reduce((total, [axis, step]) => total + step * at(strides, axis), 0),
    ),
  });
}

/** Goes along one axis of the view below. */
function along(axis: number, extent: number, step: number = 1): Axis {
  return { extent, steps: [[axis, step]] };
}

function sliced(
  shape: Shape,
  { starts, sizes, steps }: Extract<Transform, { readonly kind: "slice" }>,
): Result<Seen, ShapeFault> {
  const rank = shape.length;
  if (starts.length !== rank || sizes.length !== rank || steps.length !== rank) {
    return shapeFault(
      "shape/axes",
      `the reference has rank ${rank}, and the slice ${counted(starts.length, "start")}, ${counted(sizes.length, "size")}, ${counted(steps.length, "step")}.`,
      "give one of each for each axis, outermost first",
    );
  }
  if (steps.includes(0)) {
    return shapeFault("shape/step", "a step of 0 goes nowhere.", "repeat an element by a broadcast");
  }
  return ok({ axes: sizes.map((size, axis) => along(axis, size, at(steps, axis))) });
}

function permuted(shape: Shape, axes: readonly number[]): Result<Seen, ShapeFault> {
  const isPermutation = axes.length === shape.length && shape.every((_, axis) => axes.includes(axis));
  if (!isPermutation) {
    return shapeFault(
      "shape/axes",
      `${formatShape(axes)} is no order of the ${shape.length} axes.`,
      "name each axis once",
    );
  }
  return ok({ axes: axes.map((axis) => along(axis, at(shape, axis))) });
}

/** The new axis takes the place of the first of the two, and the other one is gone. */
function diagonal(
  shape: Shape,
  { offset = 0, axes: [row, column] = [0, 1] }: Extract<Transform, { readonly kind: "diagonal" }>,
): Result<Seen, ShapeFault> {
  const [rows, columns] = [shape[row], shape[column]];
  if (rows === undefined || columns === undefined || row === column) {
    return shapeFault("shape/rank", "a diagonal has two axes.", "take one of a matrix");
  }
  const [down, right] = [Math.max(0, -offset), Math.max(0, offset)];
  const extent = Math.max(0, Math.min(rows - down, columns - right));
  const steps: Axis["steps"] = [
    [row, 1],
    [column, 1],
  ];
  const [kept, gone] = [Math.min(row, column), Math.max(row, column)];
  const axes = shape.map((own, axis) => (axis === kept ? { extent, steps } : along(axis, own)));
  const starts = shape.map((_, axis) => (axis === row ? down : axis === column ? right : 0));
  return ok({ axes: axes.toSpliced(gone, 1), starts });
}

/** Windows stand along the axis, and their elements along a new last one. */
function unfolded(
  shape: Shape,
  { axis: wanted, size, step }: Extract<Transform, { readonly kind: "unfold" }>,
): Result<Seen, ShapeFault> {
  const extent = shape[wanted];
  if (extent === undefined || size > extent) {
    return shapeFault(
      extent === undefined ? "shape/rank" : "shape/window",
      extent === undefined
        ? `there is no axis ${wanted} of ${formatShape(shape)}.`
        : `a window of ${size} does not fit in an axis of ${extent}.`,
      "unfold an axis that is there, in windows no longer than it",
    );
  }
  const windows = along(wanted, Math.floor((extent - size) / step) + 1, step);
  const others = shape.map((own, axis) => (axis === wanted ? windows : along(axis, own)));
  return ok({ axes: [...others, along(wanted, size)] });
}

function strided(
  shape: Shape,
  { shape: wanted, strides }: Extract<Transform, { readonly kind: "strided" }>,
): Result<Seen, ShapeFault> {
  if (shape.length !== 1 || wanted.length !== strides.length) {
    return shapeFault(
      "shape/axes",
      `the reference has rank ${shape.length}, the shape ${counted(wanted.length, "axis", "axes")}, and there are ${counted(strides.length, "stride")}.`,
      "stride over a reference of one axis, such as .reshape([6]), with a stride for each new axis",
    );
  }
  return ok({ axes: wanted.map((extent, axis) => along(0, extent, at(strides, axis))) });
}

function broadcast(shape: Shape, wanted: Shape): Result<Seen, ShapeFault> {
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
  const axes = wanted.map((extent, axis): Axis => {
    const own = axis - missing;
    return own < 0 || (shape[own] === 1 && extent !== 1) ? { extent, steps: [] } : along(own, extent);
  });
  return ok({ axes });
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
