import { at, integerAt } from "../../../../spec/shapes/index.ts";
import { type Instruction, type LoopProgram, operandsOf, type ValueId } from "../program.ts";
import { withOperands } from "../rewrites/bodies.ts";
import { deadCode } from "../rewrites/dead_code.ts";

/** The values of these segments are computed again. */
export interface Segments {
  /** Instructions from this one on are late: they read copies. */
  readonly cut: number;
  /**
   * The first instructions of the early segments, ascending from 0, for each level. Each level after the
   * first has all the starts of the level before it.
   */
  readonly levels: readonly (readonly number[])[];
  /** Early instructions from this one on are kept. */
  readonly end: number;
}

/** A program that computes some values again, and the number of instructions that this added. */
export interface Recomputing {
  readonly program: LoopProgram;
  readonly recomputed: number;
}

/**
 * Has late instructions of `program` read copies of early values, made just before the first of them needs
 * one. Kept are results, and what crosses segments of the coarsest level. When a late instruction first needs
 * a segment, the values that cross its subsegments are computed from those, and so on to the finest level. A
 * copy is the same instruction, so that every number keeps its bits. Cost: linear, for each level.
 */
export function recomputing(program: LoopProgram, segments: Segments): Recomputing {
  const copier = new Copier(program, segments);
  for (const [n, instruction] of program.instructions.entries())
    if (n >= segments.cut) copier.late(n, instruction);
  return copier.finished();
}

class Copier {
  readonly #program: LoopProgram;
  readonly #count: number;
  /** Each level has here the segment of each early instruction. */
  readonly #segmentOf: readonly Int32Array[];
  /** Each value has here the levels at which all its early readers lie in its segment; 0 if it is kept. */
  readonly #depth: Int32Array;
  readonly #instructions: Instruction[];
  /** The latest copy of each value. */
  readonly #names: Int32Array;
  readonly #isCopied: Uint8Array;
  readonly #isOpen: readonly Set<number>[];

  constructor(program: LoopProgram, segments: Segments) {
    this.#program = program;
    this.#count = program.sources.length;
    this.#segmentOf = segments.levels.map((starts) => numbered(starts, segments.cut));
    this.#depth = depths(program, segments, this.#segmentOf);
    this.#instructions = program.instructions.slice(0, segments.cut);
    this.#names = Int32Array.from({ length: this.#count + program.instructions.length }, (_, id) => id);
    this.#isCopied = new Uint8Array(this.#names.length);
    this.#isOpen = segments.levels.map(() => new Set());
  }

  /** Appends a late instruction, after the copies that it needs. */
  late(n: number, instruction: Instruction): void {
    const operands = operandsOf(instruction);
    const finest = this.#segmentOf.length;
    for (const value of operands) {
      const depth = integerAt(this.#depth, value);
      for (let level = 1; level <= depth && level < finest; level++) this.#open(value, level);
    }
    for (const value of this.#missing(operands, finest))
      this.#names[value] = this.#append(this.#original(value), nowhere);
    this.#names[this.#count + n] = this.#append(instruction, nowhere);
  }

  finished(): Recomputing {
    const results = this.#program.results.map((value) => integerAt(this.#names, value));
    const { program } = deadCode({ ...this.#program, instructions: this.#instructions, results });
    return { program, recomputed: program.instructions.length - this.#program.instructions.length };
  }

  /** Copies, within a value's segment of this level, the values that cross segments of the next level. */
  #open(value: ValueId, level: number): void {
    const segmentOf = at(this.#segmentOf, level - 1);
    const segment = integerAt(segmentOf, value - this.#count);
    const open = at(this.#isOpen, level - 1);
    if (open.has(segment)) return;
    open.add(segment);
    const targets: ValueId[] = [];
    for (let n = segmentOf.indexOf(segment); segmentOf[n] === segment; n++) targets.push(this.#count + n);
    // Values in between are copied under temporary names only.
    const names = new Map<ValueId, ValueId>();
    for (const copied of this.#missing(targets, level)) {
      const name = this.#append(this.#original(copied), names);
      if (this.#depth[copied] === level) this.#names[copied] = name;
      else {
        names.set(copied, name);
        this.#isCopied[copied] = 0;
      }
    }
  }

  /** Lists the targets and their operands of this depth or deeper that are not copied, in program order. */
  #missing(targets: readonly ValueId[], depth: number): readonly ValueId[] {
    const missing: ValueId[] = [];
    const waiting = [...targets];
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      if (integerAt(this.#depth, value) < depth || this.#isCopied[value] === 1) continue;
      this.#isCopied[value] = 1;
      missing.push(value);
      waiting.push(...operandsOf(this.#original(value)));
    }
    return missing.sort((a, b) => a - b);
  }

  #original(value: ValueId): Instruction {
    const instruction = this.#program.instructions[value - this.#count];
    if (instruction === undefined) throw new RangeError(`no instruction makes the value ${value}`);
    return instruction;
  }

  /** Appends an instruction that reads the copies in `first`, or else the latest ones. */
  #append(instruction: Instruction, first: ReadonlyMap<ValueId, ValueId>): ValueId {
    this.#instructions.push(withOperands(instruction, (id) => first.get(id) ?? integerAt(this.#names, id)));
    return this.#count + this.#instructions.length - 1;
  }
}

const nowhere: ReadonlyMap<ValueId, ValueId> = new Map();

function numbered(starts: readonly number[], cut: number): Int32Array {
  const segmentOf = new Int32Array(cut);
  const ends = [...starts.slice(1), cut];
  for (const [segment, start] of starts.entries()) segmentOf.fill(segment, start, at(ends, segment));
  return segmentOf;
}

function depths(program: LoopProgram, { cut, end }: Segments, segmentOf: readonly Int32Array[]): Int32Array {
  const count = program.sources.length;
  const depth = new Int32Array(count + program.instructions.length);
  depth.fill(segmentOf.length, count, count + Math.min(cut, end));
  for (const [n, instruction] of program.instructions.slice(0, cut).entries()) {
    for (const operand of operandsOf(instruction)) {
      const isTogether = (of: Int32Array): boolean => of[operand - count] === of[n];
      let common = 0;
      while (common < integerAt(depth, operand) && isTogether(at(segmentOf, common))) common += 1;
      depth[operand] = common;
    }
  }
  for (const result of program.results) depth[result] = 0;
  return depth;
}
