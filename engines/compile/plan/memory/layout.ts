import { at, sizeOf } from "../../../../spec/shapes/index.ts";
import type { Layout } from "../executable.ts";
import { deathsAfter, lastReaders } from "../liveness.ts";
import { type Instruction, type LoopProgram, shapeOfValue, type ValueId } from "../program.ts";
import { isIdentity } from "../rewrites/access.ts";
import { FreeList } from "./free_list.ts";

/** The rewrites that a layout may use. */
export interface LayoutOptions {
  /** Is true if a value may take the place of one that nothing reads any more (`buffer_reuse`). */
  readonly reusesBuffers: boolean;
  /** Is true if a value may take the place of an operand whose last reader it is (`in_place`). */
  readonly isInPlace: boolean;
  /** Every place is a multiple of so many elements. */
  readonly alignment: number;
}

/** A layout, and how often each of its rewrites was applied. */
export interface LaidOut {
  readonly layout: Layout;
  readonly fired: { readonly buffer_reuse: number; readonly in_place: number };
}

/**
 * Places the values of all instructions in one arena. A value keeps its place from the instruction that makes
 * it to its last reader, and a result to the end. A map may write over an operand if it is the last reader
 * and all its reads of it are identities; a scatter may write over its base if it does not read it otherwise.
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
  for (let n = 0; n < program.instructions.length; n++) {
    const instruction = at(program.instructions, n);
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

/** Says whether `instruction` may write over its operand `value`, given that nothing reads it later. */
function mayOverwrite(instruction: Instruction, value: ValueId, program: LoopProgram): boolean {
  if (sizeOf(shapeOfValue(program, value)) !== sizeOf(instruction.shape)) return false;
  if (instruction.kind === "scatter")
    return instruction.base === value && instruction.reads.every((read) => read.value !== value);
  if (instruction.kind !== "map") return false;
  const reads = instruction.reads.filter((read) => read.value === value);
  return reads.length > 0 && reads.every((read) => isIdentity(read, instruction.shape));
}
