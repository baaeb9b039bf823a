import { at, sizeOf } from "../../../spec/shapes/index.ts";
import type { Layout, LoopProgram, Numbers, Precision, ValueId } from "../plan/index.ts";
import type { Memory } from "./web_assembly.ts";

/** A plan places everything in the memory of a program, in bytes. */
export interface MemoryPlan {
  /** Values have these places: sources first, then instructions as the layout says. */
  readonly values: readonly number[];
  readonly indices: readonly number[];
  /** The address after the arena. */
  readonly end: number;
}

/** Pages that 32-bit addresses reach, less one, so that the end of memory has an address too. */
export const MAXIMUM_PAGES = 65_535;

/** Bytes of a page of WebAssembly memory. */
const PAGE = 65_536;

/** Places sources, index sources and the arena from `start` on, each on its own cache line. */
export function memoryPlan(
  program: LoopProgram,
  layout: Layout,
  precision: Precision,
  start: number,
): MemoryPlan {
  const bytes = precision === "float64" ? 8 : 4;
  let end = aligned(start);
  const take = (size: number): number => {
    const place = end;
    end = aligned(place + size);
    return place;
  };
  const sources = program.sources.map(({ shape }) => take(sizeOf(shape) * bytes));
  const indices = program.indexSources.map(({ size }) => take(size * 4));
  const arena = take(layout.length * bytes);
  const made = program.instructions.map((_, position) => arena + at(layout.places, position) * bytes);
  return { values: [...sources, ...made], indices, end };
}

/** Rounds up to a multiple of a cache line. */
export function aligned(place: number): number {
  return Math.ceil(place / 64) * 64;
}

/** Returns the pages that hold so many bytes. Fails beyond the 4 GiB that 32-bit addresses reach. */
export function pagesFor(bytes: number): number {
  const pages = Math.max(1, Math.ceil(bytes / PAGE));
  if (pages > MAXIMUM_PAGES) throw new RangeError(`${bytes} bytes do not fit into WebAssembly memory`);
  return pages;
}

/** Views memory as numbers. */
export function viewOf(memory: Memory, place: number, size: number, precision: Precision): Numbers {
  return precision === "float64"
    ? new Float64Array(memory.buffer, place, size)
    : new Float32Array(memory.buffer, place, size);
}

/** Returns the place of a value. */
export function placeOf(plan: MemoryPlan, value: ValueId): number {
  return at(plan.values, value);
}
