import { InvariantError } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";

/** Numbers of many tensors, one after the other; a store rounds to their precision. */
export type Arena = Float64Array | Float32Array;

/** The memory of one loaded graph. Every tensor is a run of an arena; loading allocates everything. */
export interface Machine {
  /** Is true if the arenas are of float32. */
  readonly isSingle: boolean;
  /** The value of every id, then every real entry of Δ. */
  readonly values: Arena;
  /** The tangent of every id, at the value's offset. */
  readonly tangents: Arena;
  /** The cotangent of every id, at the value's offset, then the work space from {@link Machine.work} on. */
  readonly cotangents: Arena;
  /** Every index entry of Δ. */
  readonly indices: Uint32Array;
  /** Each id has 1 here if its slot holds a seed or a contribution. */
  readonly reached: Uint8Array;
  /** The offset in `cotangents` of the work space, which has room for one node's contributions. */
  readonly work: number;
}

/** Each part of a {@link Machine} has so many elements. */
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

/** Index tables have 32-bit integers, so that an arena ends below 2³¹. */
const longestArena = 2 ** 31 - 1;

/** Allocates zeroed memory. Throws `RangeError` where an arena is too long, or the host has too little. */
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
 * Rounds the result of an operation, if it is used before it is stored, because a store rounds by itself. Two
 * roundings are one for `+ − × ÷ √` of float32 numbers: 53 ≥ 2 · 24 + 2 bits [Figueroa 1995].
 */
export function rounded(result: number, isSingle: boolean): number {
  return isSingle ? Math.fround(result) : result;
}

/**
 * Throws: an array has nothing at a position. Loops write `arena[i] ?? outside()` and not `floatAt(arena,
 * i)`, which is up to a third slower: a function of another module is fetched anew for each element, and a
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
