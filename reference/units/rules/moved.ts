import { at } from "../../../spec/shapes/index.ts";
import { corners, unknownAt } from "../grid.ts";
import type { Gridded } from "../rule.ts";
import { askSame } from "./pointwise.ts";

/** An element of the result comes from this place; `undefined` for a zero that is put in. */
export type Origin = { readonly operand: number; readonly coordinates: readonly number[] } | undefined;

/** Asks that each block of the result is what the block is that its first element comes from. */
export function askMoved<A>(node: Gridded<A>, originOf: (coordinates: readonly number[]) => Origin): void {
  let unknown = node.own.first;
  for (const corner of corners(node.own)) {
    const origin = originOf(corner);
    if (origin !== undefined && !node.isZero(origin.operand)) {
      askSame(node, "result", unknown, unknownAt(at(node.grids, origin.operand), origin.coordinates));
    }
    unknown += 1;
  }
}

/** Asks that an operand is the same all along some axes; reads at index data, and sums, need it. */
export function askAlikeAlong<A>(node: Gridded<A>, operand: number, axes: readonly number[]): void {
  if (node.isZero(operand)) return;
  const grid = at(node.grids, operand);
  let unknown = grid.first;
  for (const corner of corners(grid)) {
    const start = corner.map((place, axis) => (axes.includes(axis) ? 0 : place));
    askSame(node, "agree", unknown, unknownAt(grid, start));
    unknown += 1;
  }
}
