import { at } from "../../../../spec/shapes/index.ts";
import type { Precision } from "../executable.ts";
import type { LoopProgram } from "../program.ts";
import { workOf } from "../work.ts";
import { layOut } from "./layout.ts";
import { type Recomputing, recomputing, type Segments } from "./recomputing.ts";
import { reversalsOf } from "./reversal.ts";
import { reversing } from "./reversing.ts";
import { type Early, earlyPart, startsOf } from "./segmentation.ts";
import { stepsOf } from "./steps.ts";
import { bytesPerNumber } from "./width.ts";

/** Checkpointing must fit the program into this. */
export interface CheckpointOptions {
  readonly budgetBytes: number;
  readonly precision: Precision;
  /** The number of instructions of the forward sweep; by default it ends where most is alive. */
  readonly forward?: number;
  /** Computes a program's bytes; by default those of its layout with all places reused. */
  readonly bytesOf?: (program: LoopProgram) => number;
}

/** Checkpointing had this effect. */
export interface CheckpointReport {
  /** The program took so many bytes before. */
  readonly storedBytes: number;
  /** The program takes so many bytes now. */
  readonly peakBytes: number;
  /** Instructions that were added. */
  readonly recomputed: number;
  readonly fits: boolean;
}

/** A program that keeps fewer values and computes some again. */
export interface Checkpointed {
  readonly program: LoopProgram;
  readonly report: CheckpointReport;
}

/**
 * Has early values computed again for late readers, so that `program` takes at most `budgetBytes`. Of the
 * segmentations tried it takes the cheapest that fits: flat ones, nested ones, and best plans of a chain of
 * steps; if none fits, the smallest, and `fits` is false. Numbers keep their bits. This pass must be the
 * last, because `common_subexpressions` would undo it. Cost: linear, for each of some tens of segmentations.
 */
export function checkpointed(program: LoopProgram, options: CheckpointOptions): Checkpointed {
  const { budgetBytes, precision, forward, bytesOf = defaultBytes(precision) } = options;
  const storedBytes = bytesOf(program);
  const search = new Search(program, budgetBytes, bytesOf, { program, recomputed: 0, bytes: storedBytes });
  if (storedBytes > budgetBytes) {
    const early = earlyPart(program, forward);
    const isFlat = searchFlat(search, early);
    for (let depth = 2; depth <= mostLevels && !isFlat; depth++) searchNested(search, early, depth);
    searchOptimal(search, program, early, budgetBytes / bytesPerNumber[precision]);
  }
  const { bytes, recomputed } = search.best;
  return {
    program: search.best.program,
    report: { storedBytes, peakBytes: bytes, recomputed, fits: bytes <= budgetBytes },
  };
}

interface Attempt extends Recomputing {
  readonly bytes: number;
}

const mostLevels = 6;

function defaultBytes(precision: Precision): (program: LoopProgram) => number {
  const width = bytesPerNumber[precision];
  const options = { reusesBuffers: true, isInPlace: true, alignment: 16 / width };
  return (program) => layOut(program, options).layout.length * width;
}

/** Keeps the best attempt so far: the least work that fits, or else the least memory. */
class Search {
  readonly #program: LoopProgram;
  readonly #budgetBytes: number;
  readonly #bytesOf: (program: LoopProgram) => number;
  #best: Attempt;
  #work: number = Number.POSITIVE_INFINITY;

  constructor(
    program: LoopProgram,
    budgetBytes: number,
    bytesOf: (program: LoopProgram) => number,
    first: Attempt,
  ) {
    this.#program = program;
    this.#budgetBytes = budgetBytes;
    this.#bytesOf = bytesOf;
    this.#best = first;
  }

  get best(): Attempt {
    return this.#best;
  }

  get isFound(): boolean {
    return this.#best.bytes <= this.#budgetBytes;
  }

  /** Tries a segmentation, and says whether it fits. */
  fits(segments: Segments): boolean {
    return this.fitsAs(recomputing(this.#program, segments));
  }

  /** Tries a program with the same results, and says whether it fits. */
  fitsAs(made: Recomputing): boolean {
    const bytes = this.#bytesOf(made.program);
    const fits = bytes <= this.#budgetBytes;
    const work = fits ? workOf(made.program) : Number.POSITIVE_INFINITY;
    if (work < this.#work || (!this.isFound && bytes < this.#best.bytes)) {
      this.#best = { ...made, bytes };
      this.#work = work;
    }
    return fits;
  }
}

/**
 * Tries the best plans of a chain of steps. They do not count what a plan needs beside its values, so that
 * the largest share of the memory for which one fits is found by bisection.
 */
function searchOptimal(search: Search, program: LoopProgram, early: Early, capacity: number): void {
  const steps = stepsOf(program, early);
  const reversals = reversalsOf(steps, capacity);
  const tries = (units: number): boolean => {
    const reversal = reversals.within(units);
    return reversal !== undefined && search.fitsAs(reversing(program, steps, reversal));
  };
  if (reversals.least < 0) return;
  let [low, high] = [reversals.least - 1, reversals.units + 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (tries(middle)) low = middle;
    else high = middle;
  }
}

/** Tries flat segments, and of those that fit recomputes as few as possible. Says whether any fits. */
function searchFlat(search: Search, early: Early): boolean {
  const { cut } = early;
  let fitting = 0;
  for (let parts = 2; parts <= cut && fitting < enough; parts += Math.ceil(parts / 2)) {
    const starts = startsOf(early, parts);
    const ends = [...starts, cut];
    const upTo = (segments: number): Segments => ({ cut, levels: [starts], end: at(ends, segments) });
    // The last segment is read right after it was made, so that computing it again rarely helps.
    if (!search.fits(upTo(starts.length - 1)) && !search.fits(upTo(starts.length))) continue;
    fitting += 1;
    let [low, high] = [0, starts.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (search.fits(upTo(middle))) high = middle;
      else low = middle;
    }
  }
  return fitting > 0;
}

/** After so many segment counts that fit the search ends; finer segments save little more work. */
const enough = 4;

/** Tries nested segments: each segment of a level is cut into equally many of the next. */
function searchNested(search: Search, early: Early, depth: number): void {
  const { cut } = early;
  for (let parts = 2; parts ** depth <= cut; parts += Math.ceil(parts / 2)) {
    const finest = startsOf(early, parts ** depth);
    const levels = Array.from({ length: depth }, (_, level) =>
      finest.filter((_, n) => n % parts ** (depth - 1 - level) === 0),
    );
    search.fits({ cut, levels, end: cut });
  }
}
