import { at, InvariantError, type Shape } from "../../spec/shapes/index.ts";

/**
 * The blocks of a value, each of which has one dimension: a row-major array of unknowns, one for each block,
 * which are numbered from `first` on. `starts` are the coordinates at which blocks begin, axis by axis.
 */
export interface Grid {
  readonly shape: Shape;
  readonly starts: readonly (readonly number[])[];
  readonly first: number;
  /** There are so many blocks. */
  readonly count: number;
}

/** Returns the unknown of the block in which the element at these coordinates lies. */
export function unknownAt(grid: Grid, coordinates: readonly number[]): number {
  let position = 0;
  for (let axis = 0; axis < coordinates.length; axis++) {
    const starts = at(grid.starts, axis);
    position = position * starts.length + blockOf(starts, at(coordinates, axis));
  }
  return grid.first + position;
}

/** The unknown of the block with these numbers, axis by axis. */
export function unknownOfBlock(grid: Grid, blocks: readonly number[]): number {
  return (
    grid.first + blocks.reduce((position, block, axis) => position * at(grid.starts, axis).length + block, 0)
  );
}

/** Says for each axis which block an unknown's is. */
export function blockWith(grid: Grid, unknown: number): number[] {
  let rest = unknown - grid.first;
  if (rest < 0 || rest >= grid.count) throw new InvariantError("the unknown is none of the grid's");
  const blocks: number[] = [];
  for (let axis = grid.starts.length - 1; axis >= 0; axis--) {
    const count = at(grid.starts, axis).length;
    blocks.unshift(rest % count);
    rest = Math.floor(rest / count);
  }
  return blocks;
}

/** Yields the first coordinates of every block, in the order of the unknowns. */
export function* corners(grid: Grid): Generator<readonly number[]> {
  for (let block = 0; block < grid.count; block++) {
    yield blockWith(grid, grid.first + block).map((place, axis) => at(at(grid.starts, axis), place));
  }
}

/** Finds the places of a block along an axis, from the first to before the end. */
export function rangeOf(grid: Grid, axis: number, block: number): readonly [start: number, end: number] {
  const starts = at(grid.starts, axis);
  return [at(starts, block), starts[block + 1] ?? at(grid.shape, axis)];
}

/** Returns the last block that begins at or before a place. */
function blockOf(starts: readonly number[], place: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at(starts, middle) <= place) low = middle;
    else high = middle;
  }
  return low;
}
