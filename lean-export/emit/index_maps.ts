import { at, type Shape, sizeOf } from "../../spec/shapes/index.ts";

/**
 * The index maps of operators that only move elements, computed from their attributes. A trace is compared
 * with these, so nothing here is the reference's. `Adjudge.Replay.Maps` has the same maps in Lean under the
 * same names, and a test has Lean's kernel compare the two.
 */

/** Lists the places of blocks, where block `k` begins at `offset(k)`. */
function blocks(
  offset: (k: number) => number,
  block: readonly number[],
  indices: readonly number[],
): number[] {
  return indices.flatMap((k) => block.map((position) => offset(k) + position));
}

function counted(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, k) => first + k);
}

/** Returns the indices that a slice holds of an axis. Negative ones count from the end; all clamp. */
function slicedAxis(extent: number, start: number, stop: number, step: number): readonly number[] {
  const [least, greatest] = step > 0 ? [0, extent] : [-1, extent - 1];
  const held: number[] = [];
  const end = (index: number): number => {
    const counts = index < 0 ? extent + index : index;
    if (counts < least) return least;
    return counts > greatest ? greatest : counts;
  };
  for (let i = end(start); step > 0 ? i < end(stop) : i > end(stop); i += step) held.push(i);
  return held;
}

/** Finds the elements of a slice in its operand. */
export function sliceSources(
  x: Shape,
  {
    starts,
    stops,
    steps,
  }: {
    readonly starts: readonly number[];
    readonly stops: readonly number[];
    readonly steps: readonly number[];
  },
): readonly number[] {
  const [extent, ...rest] = x;
  if (extent === undefined) return [0];
  const others = { starts: starts.slice(1), stops: stops.slice(1), steps: steps.slice(1) };
  return blocks(
    (k) => k * sizeOf(rest),
    sliceSources(rest, others),
    slicedAxis(extent, at(starts, 0), at(stops, 0), at(steps, 0)),
  );
}

/** Finds where `pad` puts the elements of its operand in a result of that shape. */
export function padTargets(
  x: Shape,
  to: Shape,
  { low, interior }: { readonly low: readonly number[]; readonly interior: readonly number[] },
): readonly number[] {
  const [extent, ...rest] = x;
  if (extent === undefined) return [0];
  const others = { low: low.slice(1), interior: interior.slice(1) };
  const stride = sizeOf(to.slice(1));
  return blocks(
    (k) => (at(low, 0) + k * (at(interior, 0) + 1)) * stride,
    padTargets(rest, to.slice(1), others),
    counted(0, extent),
  );
}

/** Says where `gather` finds elements and `scatter_add` puts updates: so many rows of so many indices. */
export function gatherSources(
  x: Shape,
  rows: number,
  depth: number,
  indices: readonly number[],
): readonly number[] {
  const inner = sizeOf(x.slice(depth));
  return counted(0, rows).flatMap((row) => {
    let position = 0;
    for (let axis = 0; axis < depth; axis++)
      position = position * at(x, axis) + at(indices, row * depth + axis);
    return counted(position * inner, inner);
  });
}

/** Finds the elements that `take_along_axis` reads; `to` is the shape of the indices. */
export function alongSources(
  x: Shape,
  to: Shape,
  axis: number,
  indices: readonly number[],
): readonly number[] {
  return indices.map((index, place) => {
    let [position, stride, left] = [0, 1, place];
    for (let k = to.length - 1; k >= 0; k--) {
      position += stride * (k === axis ? index : left % at(to, k));
      left = Math.floor(left / at(to, k));
      stride *= at(x, k);
    }
    return position;
  });
}

/** The coordinate along an axis of each element. */
export function coordinatesAlong(shape: Shape, axis: number): readonly number[] {
  const inner = sizeOf(shape.slice(axis + 1));
  return counted(0, sizeOf(shape)).map((position) => Math.floor(position / inner) % at(shape, axis));
}
