import { floatAt, integerAt, sizeOf } from "../../../../spec/shapes/index.ts";
import { type LoopProgram, operandsOf } from "../program.ts";
import { workOfInstruction } from "../work.ts";
import { type Early, startsOf } from "./segmentation.ts";

/** The early part of a program as a chain of steps, each of which can be computed again. */
export interface Steps {
  /** The first instruction of each step; the first is 0. */
  readonly starts: readonly number[];
  /** Instructions before this one are early. */
  readonly cut: number;
  /** The work of each step. */
  readonly work: Float64Array;
  /** Each step has here the elements of its values that late instructions read. */
  readonly kept: Float64Array;
  /** Each step has here the elements before it that it or a later step reads: a snapshot of its beginning. */
  readonly crossing: Float64Array;
  /** 1 for an early value that is kept throughout and not counted: a result, or read across many steps. */
  readonly stays: Uint8Array;
}

/** Longer chains are grouped into so many steps, because planning costs their cube. */
const MOST_STEPS = 160;

/** A value read this share of the chain later stays, because it would be in most snapshots. */
const LONG = 1 / 4;

/** Divides a program's early part into steps. Cost: linear. */
export function stepsOf(program: LoopProgram, early: Early): Steps {
  const { cut } = early;
  const starts = cut <= MOST_STEPS ? Array.from({ length: cut }, (_, n) => n) : startsOf(early, MOST_STEPS);
  const stepOf = new Int32Array(cut);
  for (const [step, start] of starts.entries()) stepOf.fill(step, start);
  const count = program.sources.length;
  const lastStep = new Int32Array(cut).fill(-1);
  const isReadLate = new Uint8Array(cut);
  const stays = new Uint8Array(cut);
  for (const [n, instruction] of program.instructions.entries())
    for (const operand of operandsOf(instruction)) {
      if (operand < count || operand - count >= cut) continue;
      if (n < cut) lastStep[operand - count] = integerAt(stepOf, n);
      else isReadLate[operand - count] = 1;
    }
  for (const result of program.results)
    if (result >= count && result - count < cut) stays[result - count] = 1;
  const work = new Float64Array(starts.length);
  const kept = new Float64Array(starts.length);
  const crossing = new Float64Array(starts.length);
  for (const [n, instruction] of program.instructions.slice(0, cut).entries()) {
    const [step, size] = [integerAt(stepOf, n), sizeOf(instruction.shape)];
    const last = integerAt(lastStep, n);
    if (last - step > Math.max(1, LONG * starts.length)) stays[n] = 1;
    if (stays[n] === 1) continue;
    work[step] = floatAt(work, step) + workOfInstruction(instruction);
    if (isReadLate[n] === 1) kept[step] = floatAt(kept, step) + size;
    for (let later = step + 1; later <= last; later++) crossing[later] = floatAt(crossing, later) + size;
  }
  return { starts, cut, work, kept, crossing, stays };
}
