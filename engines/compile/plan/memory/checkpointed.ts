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

/**
 * `program` with early values computed again for late readers, so that it takes at most `budgetBytes`: of the segmentations tried the one
 * that does so with the least work: segments that compute everything at most once more, nested ones, and the best plans of a chain of steps.
 * If none fits, it is the one that takes least, and `fits` says so. Every number stays the same, bit for bit. `common_subexpressions` would undo it: it must come last.
 * Cost: linear, for each of some tens of segmentations.
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

/** The best attempt so far: the least work that fits, or else the least memory. */
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

  /** Tries a segmentation; whether it fits. */
  fits(segments: Segments): boolean {
    return this.fitsAs(recomputing(this.#program, segments));
  }

  /** Tries a program that computes the same; whether it fits. */
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
 * The best plans of a chain of steps, for as much of the memory that keeping all takes as fits. What a plan takes beside its values is not foreseen,
 * so that the share is found by halving.
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

/** Segments of one level; of those that fit, with as few as possible computed again. Whether any did. */
function searchFlat(search: Search, early: Early): boolean {
  const { cut } = early;
  let fitting = 0;
  for (let parts = 2; parts <= cut && fitting < enough; parts += Math.ceil(parts / 2)) {
    const starts = startsOf(early, parts);
    const ends = [...starts, cut];
    const upTo = (segments: number): Segments => ({ cut, levels: [starts], end: at(ends, segments) });
    // The last segment is read right after it was made: to compute it again rarely helps.
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

/** How many numbers of segments that fit are tried: finer ones save little more work. */
const enough = 4;

/** Segments of several levels, each cut into as many of the next. */
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
