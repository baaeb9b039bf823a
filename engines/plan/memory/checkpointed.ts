import { sizeOf } from "../../../spec/core.ts";
import type { Precision } from "../executable.ts";
import { applicationsOf } from "../expression.ts";
import { bodiesOf, type Instruction, type LoopProgram } from "../program.ts";
import { layOut } from "./layout.ts";
import { type Recomputing, recomputing, type Segments } from "./recomputing.ts";
import { earlyPart, startsOf } from "./segmentation.ts";
import { bytesPerNumber } from "./width.ts";

/** What checkpointing is to reach. */
export interface CheckpointOptions {
  readonly budgetBytes: number;
  readonly precision: Precision;
  /** How many instructions, from the first, are the forward sweep; without it lifetimes say where the most is alive. */
  readonly forward?: number;
  /** The bytes that a program takes; without it, those of its layout with every place used again. */
  readonly bytesOf?: (program: LoopProgram) => number;
}

/** What checkpointing did. */
export interface CheckpointReport {
  /** What the program took before. */
  readonly storedBytes: number;
  /** What it takes now. */
  readonly peakBytes: number;
  /** Instructions that it has more. */
  readonly recomputed: number;
  readonly fits: boolean;
}

/** A program that keeps less and computes more. */
export interface Checkpointed {
  readonly program: LoopProgram;
  readonly report: CheckpointReport;
}

/** How often the copies may be cut up again. */
const mostRounds = 6;

/**
 * `program` with early values computed again for late readers, so that it takes at most `budgetBytes`: the segmentation tried that does so
 * with the least additional work; if none does, the one that takes least is cut up again, and in the end `fits` says that it was
 * not enough. Every number stays the same, bit for bit. `common_subexpressions` would undo it: it must come last.
 * Cost: linear, for each of some tens of segmentations, times the logarithm of the program's length.
 */
export function checkpointed(program: LoopProgram, options: CheckpointOptions): Checkpointed {
  const bytesOf = options.bytesOf ?? defaultBytes(options.precision);
  const storedBytes = bytesOf(program);
  let best: Attempt = { program, recomputed: 0, bytes: storedBytes };
  for (let round = 0; round < mostRounds && best.bytes > options.budgetBytes; round++) {
    const next = attempt(best.program, options, bytesOf, round === 0 ? options.forward : undefined);
    if (next === undefined || next.bytes >= best.bytes) break;
    best = { ...next, recomputed: best.recomputed + next.recomputed };
  }
  const { bytes, recomputed } = best;
  return {
    program: best.program,
    report: { storedBytes, peakBytes: bytes, recomputed, fits: bytes <= options.budgetBytes },
  };
}

interface Attempt extends Recomputing {
  readonly bytes: number;
}

function defaultBytes(precision: Precision): (program: LoopProgram) => number {
  const width = bytesPerNumber[precision];
  const options = { reusesBuffers: true, isInPlace: true, alignment: 16 / width };
  return (program) => layOut(program, options).layout.length * width;
}

/** The least work that fits, or else the least memory; `undefined` if there is nothing to cut. */
function attempt(
  program: LoopProgram,
  { budgetBytes }: CheckpointOptions,
  bytesOf: (program: LoopProgram) => number,
  forward: number | undefined,
): Attempt | undefined {
  const early = earlyPart(program, forward);
  let best: Attempt | undefined;
  let bestWork = Number.POSITIVE_INFINITY;
  const fits = (segments: Segments): boolean => {
    const made = recomputing(program, segments);
    const bytes = bytesOf(made.program);
    const work = bytes <= budgetBytes ? workOf(made.program) : Number.POSITIVE_INFINITY;
    const isLess = bestWork === Number.POSITIVE_INFINITY && bytes < (best?.bytes ?? bestWork);
    if (work < bestWork || isLess) [best, bestWork] = [{ ...made, bytes }, work];
    return bytes <= budgetBytes;
  };
  for (let parts = 2, fitting = 0; parts <= early.cut && fitting < enough; parts += Math.ceil(parts / 2)) {
    const segments = { cut: early.cut, starts: startsOf(early, parts) };
    const most = segments.starts.length;
    // The last segment is read right after it was made: to compute it again rarely helps.
    if (!fits({ ...segments, count: most - 1 }) && !fits({ ...segments, count: most })) continue;
    fitting += 1;
    let [low, high] = [0, most - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (fits({ ...segments, count: middle })) high = middle;
      else low = middle;
    }
  }
  return best;
}

/** How many numbers of segments that fit are tried: finer ones save little more work. */
const enough = 4;

/** What a program costs: for each element of each loop its applications and reads. */
function workOf(program: LoopProgram): number {
  return program.instructions.reduce((sum, instruction) => sum + workOfInstruction(instruction), 0);
}

function workOfInstruction(instruction: Instruction): number {
  return bodiesOf(instruction).reduce(
    (sum, { extents, body }) =>
      sum + sizeOf(extents) * (1 + body.reads.length + applicationsOf(body.expression).length),
    sizeOf(instruction.shape),
  );
}
