import type { EnvironmentEntry } from "../../spec/operators/index.ts";
import { at, integerAt, present, type Shape, sizeOf, stridesOf } from "../../spec/shapes/index.ts";
import type { Places } from "./kernel.ts";
import { outside } from "./machine.ts";

/**
 * Makes the table for rows of indices into the first axes of `x`: the offset of the indices, the number of
 * rows, the elements of a row's block, and for each index of a row its stride.
 */
export function rowTable(
  x: Shape,
  indices: string,
  { places, environment }: { readonly places: Places; readonly environment: readonly EnvironmentEntry[] },
): Int32Array {
  const entry = present(
    environment.find(({ name }) => name === indices),
    indices,
  );
  const depth = at(entry.shape, entry.shape.length - 1);
  const offset = present(places.get(indices), indices);
  const moves = stridesOf(x).slice(0, depth);
  return Int32Array.of(offset, sizeOf(entry.shape.slice(0, -1)), sizeOf(x.slice(depth)), ...moves);
}

/** Returns where the block of a row begins in the operand. */
export function blockAt(indices: Uint32Array, table: Int32Array, row: number): number {
  const depth = table.length - 3;
  const first = integerAt(table, 0) + row * depth;
  let position = 0;
  for (let j = 0; j < depth; j++) position += (indices[first + j] ?? outside()) * (table[j + 3] ?? outside());
  return position;
}
