import { floatAt, integerAt, sizeOf } from "../../../../spec/shapes/index.ts";
import { lastReaders } from "../liveness.ts";
import { type LoopProgram, operandsOf } from "../program.ts";

/** The early part of a program, and what it costs to keep it. */
export interface Early {
  /** Instructions before this one are early. */
  readonly cut: number;
  /** Each early instruction has here the elements of its value if a late one reads it; else 0. */
  readonly kept: Float64Array;
  /** Each early instruction has here the elements of earlier values that it or a later early one reads. */
  readonly crossing: Float64Array;
}

/**
 * Describes the part of a program before `cut`: by default the point where most elements are alive, which for
 * a forward and a reverse sweep is where the reverse sweep begins. Cost: linear.
 */
export function earlyPart(program: LoopProgram, cut: number = mostAlive(program)): Early {
  const count = program.sources.length;
  const last = lastReaders(program);
  const lastEarly = new Int32Array(count + cut).fill(-1);
  const early = program.instructions.slice(0, cut);
  for (const [n, instruction] of early.entries())
    for (const operand of operandsOf(instruction)) lastEarly[operand] = n;
  const kept = new Float64Array(cut);
  const changes = new Float64Array(cut + 1);
  for (const [n, { shape }] of early.entries()) {
    const size = sizeOf(shape);
    if (integerAt(last, count + n) >= cut) kept[n] = size;
    const end = integerAt(lastEarly, count + n);
    if (end < 0) continue;
    changes[n + 1] = floatAt(changes, n + 1) + size;
    changes[end + 1] = floatAt(changes, end + 1) - size;
  }
  let alive = 0;
  const crossing = Float64Array.from({ length: cut }, (_, n) => (alive += floatAt(changes, n)));
  return { cut, kept, crossing };
}

/**
 * Returns the first instructions of at most `parts` segments of the early part, which keep about as much
 * each. A boundary lies where least crosses it within half a share, the nearest of equals. Cost: linear.
 */
export function startsOf({ cut, kept, crossing }: Early, parts: number): readonly number[] {
  const total = kept.reduce((sum, size) => sum + size, 0);
  if (total === 0) return [0];
  const boundaries = new Map<number, Boundary>();
  let sum = 0;
  for (let n = 1; n < cut; n++) {
    sum += floatAt(kept, n - 1);
    const position = (sum / total) * parts;
    const share = Math.round(position);
    if (share < 1 || share >= parts) continue;
    const boundary = { start: n, crossing: floatAt(crossing, n), distance: Math.abs(position - share) };
    const known = boundaries.get(share);
    if (known === undefined || isBetter(boundary, known)) boundaries.set(share, boundary);
  }
  return [0, ...Array.from(boundaries.values(), ({ start }) => start)];
}

/** A possible boundary, the elements that cross there, and its distance from an equal share. */
interface Boundary {
  readonly start: number;
  readonly crossing: number;
  readonly distance: number;
}

function isBetter(a: Boundary, b: Boundary): boolean {
  return a.crossing < b.crossing || (a.crossing === b.crossing && a.distance < b.distance);
}

/** Returns the number of the instruction after the one during which most elements are alive. */
function mostAlive(program: LoopProgram): number {
  const count = program.sources.length;
  const last = lastReaders(program);
  const freed = new Float64Array(program.instructions.length + 1);
  let [alive, most, found] = [0, 0, 0];
  for (const [n, { shape }] of program.instructions.entries()) {
    const size = sizeOf(shape);
    alive += size;
    if (alive > most) [most, found] = [alive, n + 1];
    const end = integerAt(last, count + n);
    freed[end] = floatAt(freed, end) + size;
    alive -= floatAt(freed, n);
  }
  return found;
}
