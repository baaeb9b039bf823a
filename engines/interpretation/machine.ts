import { InvariantError } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";

/** Numbers of many tensors, one after the other, in the precision computed in: a store rounds to it. */
export type Arena = Float64Array | Float32Array;

/** The memory of one loaded graph. Every tensor is a run of an arena; nothing is allocated after loading. */
export interface Machine {
  /** Whether the arenas are of float32. */
  readonly isSingle: boolean;
  /** The value of every id, then every real entry of Δ. */
  readonly values: Arena;
  /** The tangent of every id, at the value's offset. */
  readonly tangents: Arena;
  /** The cotangent slot of every id, at the value's offset, then the work space from {@link Machine.work} on. */
  readonly cotangents: Arena;
  /** Every index entry of Δ. */
  readonly indices: Uint32Array;
  /** Per id, 1 if its slot holds a seed or a contribution. */
  readonly reached: Uint8Array;
  /** Where the work space begins in `cotangents`: room for one node's contributions while it is swept. */
  readonly work: number;
}

/** How many elements each part of a {@link Machine} holds. */
export interface Extents {
  readonly ids: number;
  /** Elements of all ids together. */
  readonly slots: number;
  /** Elements of all real entries of Δ. */
  readonly reals: number;
  /** Elements of all index entries of Δ. */
  readonly indices: number;
  /** The most elements that the operands of one node have together. */
  readonly work: number;
}

/** Index tables are of 32-bit integers, so an arena ends below 2³¹. */
const longestArena = 2 ** 31 - 1;

/** Fresh memory, zeroed. Throws `RangeError` where an arena would be too long, or the host has not enough. */
export function allocate(extents: Extents, dtype: DataType): Machine {
  const { ids, slots, reals, indices, work } = extents;
  const isSingle = dtype === "float32";
  const arena = (length: number): Arena => {
    if (length > longestArena) throw new RangeError(`an arena of ${length} elements`);
    return isSingle ? new Float32Array(length) : new Float64Array(length);
  };
  return {
    isSingle,
    values: arena(slots + reals),
    tangents: arena(slots),
    cotangents: arena(slots + work),
    indices: new Uint32Array(indices),
    reached: new Uint8Array(ids),
    work: slots,
  };
}

/**
 * The result of an operation, as the precision computed in rounds it; for a result that is used before it is stored, since a store
 * rounds by itself. Two roundings are one for `+ − × ÷ √` of float32 numbers: 53 ≥ 2 · 24 + 2 bits [Figueroa 1995].
 */
export function rounded(result: number, isSingle: boolean): number {
  return isSingle ? Math.fround(result) : result;
}

/**
 * Throws: an arena or a table has nothing at a position that was read. Loops write `arena[i] ?? outside()` and not `floatAt(arena, i)`,
 * which is the same, and up to a third slower: a function of another module is fetched anew for each element, and one
 * place that reads for everybody sees every kind of array. This one is fetched only where it is called.
 */
export function outside(): never {
  throw new InvariantError("an element outside of its array");
}

/** Adds a contribution, the result of an operation, to the slot at `position`. */
export function contribute(machine: Machine, position: number, contribution: number): void {
  const { cotangents } = machine;
  cotangents[position] = (cotangents[position] ?? outside()) + rounded(contribution, machine.isSingle);
}

/** Sets a run of an arena to +0. */
export function clear(arena: Arena, offset: number, size: number): void {
  for (let i = 0; i < size; i++) arena[offset + i] = 0;
}
