import { at, sizeOf } from "../../../../spec/shapes/index.ts";
import type { Layout } from "../executable.ts";
import { deathsAfter, lastReaders } from "../liveness.ts";
import { type Instruction, type LoopProgram, shapeOfValue, type ValueId } from "../program.ts";
import { isIdentity } from "../rewrites/access.ts";
import { FreeList } from "./free_list.ts";

/** What a layout may do. */
export interface LayoutOptions {
  /** Whether a value may have the place of one that nothing reads any more (`buffer_reuse`). */
  readonly reusesBuffers: boolean;
  /** Whether a value may have the place of an operand that is read for the last time while it is computed (`in_place`). */
  readonly isInPlace: boolean;
  /** Every place is a multiple of this many elements. */
  readonly alignment: number;
}

/** A layout, and how often each of its rewrites was applied. */
export interface LaidOut {
  readonly layout: Layout;
  readonly fired: { readonly buffer_reuse: number; readonly in_place: number };
}

/**
 * Places for the values of all instructions in one arena. A value keeps its place from the instruction that makes it to the last one that
 * reads it; a result to the end. Only a map, or a scatter for its base, may write over an operand, and only if it is the last to read
 * it, in the order it writes: where every read of it is an identity (none, for a base). What is read is never written over otherwise.
 * Cost: linear in the reads, and a binary search in the free blocks for each instruction.
 */
export function layOut(program: LoopProgram, options: LayoutOptions): LaidOut {
  const count = program.sources.length;
  const last = lastReaders(program);
  const deaths = deathsAfter(program, last);
  const free = new FreeList();
  const roomOf = (value: ValueId): number =>
    Math.ceil(sizeOf(shapeOfValue(program, value)) / options.alignment) * options.alignment;
  const places: number[] = [];
  const fired = { buffer_reuse: 0, in_place: 0 };
  for (const [n, instruction] of program.instructions.entries()) {
    const size = sizeOf(instruction.shape);
    const room = roomOf(count + n);
    const over =
      options.isInPlace && size > 0
        ? at(deaths, n).find((value) => mayOverwrite(instruction, value, program))
        : undefined;
    const before = free.length;
    if (over !== undefined) fired.in_place += 1;
    const place = over !== undefined ? at(places, over - count) : room === 0 ? 0 : free.take(room);
    if (over === undefined && room > 0 && free.length === before) fired.buffer_reuse += 1;
    places.push(place);
    if (!options.reusesBuffers) continue;
    for (const value of at(deaths, n)) {
      if (value !== over) free.release(at(places, value - count), roomOf(value));
    }
  }
  return { layout: { places, length: free.length }, fired };
}

/** Whether `instruction` may be computed in the place of its operand `value`, provided that nothing reads it later. */
function mayOverwrite(instruction: Instruction, value: ValueId, program: LoopProgram): boolean {
  if (sizeOf(shapeOfValue(program, value)) !== sizeOf(instruction.shape)) return false;
  if (instruction.kind === "scatter")
    return instruction.base === value && instruction.reads.every((read) => read.value !== value);
  if (instruction.kind !== "map") return false;
  const reads = instruction.reads.filter((read) => read.value === value);
  return reads.length > 0 && reads.every((read) => isIdentity(read, instruction.shape));
}
