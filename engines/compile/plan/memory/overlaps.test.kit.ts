import { sizeOf } from "../../../../spec/index.ts";
import type { Layout } from "../executable.ts";
import { bodiesOf, type Instruction, type LoopProgram, type ValueId } from "../program.ts";
import { isIdentity } from "../rewrites/access.ts";

/** A value's life in an arena: the instruction that makes it, its last reader, its elements [from, to). */
interface Life {
  readonly value: ValueId;
  readonly made: number;
  readonly read: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Lists the faults of a layout: values outside the arena, off a multiple of `alignment`, or sharing a place
 * while one is still read. It is written to be obvious, without the planner's own liveness. Cost: quadratic.
 */
export function overlapsOf(program: LoopProgram, layout: Layout, alignment = 2): readonly string[] {
  const lives = program.instructions.map((instruction, n) => lifeOf(program, layout, instruction, n));
  const misplaced = lives
    .filter(({ from, to }) => from < to && (from < 0 || to > layout.length || from % alignment !== 0))
    .map(({ value, from, to }) => `value ${value} lies at [${from}, ${to})`);
  const meeting = lives.flatMap((first, n) =>
    lives.slice(n + 1).flatMap((second) => {
      const isShared = Math.max(first.from, second.from) < Math.min(first.to, second.to);
      if (!isShared || second.made > first.read) return [];
      if (
        second.made === first.read &&
        first.from === second.from &&
        isInPlace(program, first.value, second.made)
      )
        return [];
      return [`value ${first.value} is read by instruction ${first.read} and overwritten by ${second.made}`];
    }),
  );
  return [...misplaced, ...meeting];
}

function lifeOf(program: LoopProgram, layout: Layout, instruction: Instruction, n: number): Life {
  const value = program.sources.length + n;
  const readers = program.instructions.flatMap((other, m) => (reads(other, value) ? [m] : []));
  const read = program.results.includes(value) ? Number.POSITIVE_INFINITY : Math.max(n, ...readers);
  const from = layout.places[n] ?? Number.NaN;
  return { value, made: n, read, from, to: from + sizeOf(instruction.shape) };
}

function reads(instruction: Instruction, value: ValueId): boolean {
  if (instruction.kind === "routine") return instruction.operands.includes(value);
  if (instruction.kind === "scatter" && instruction.base === value) return true;
  return bodiesOf(instruction).some(({ body }) => body.reads.some((read) => read.value === value));
}

/** Says whether an instruction may write over an operand: a map that reads it in place; a base. */
function isInPlace(program: LoopProgram, value: ValueId, reader: number): boolean {
  const instruction = program.instructions[reader];
  const size = sizeOf(program.instructions[value - program.sources.length]?.shape ?? []);
  if (instruction === undefined || sizeOf(instruction.shape) !== size) return false;
  if (instruction.kind === "scatter")
    return instruction.base === value && !instruction.reads.some((read) => read.value === value);
  if (instruction.kind !== "map") return false;
  return instruction.reads.every((read) => read.value !== value || isIdentity(read, instruction.shape));
}
