import { sizeOf } from "../../../spec/core.ts";
import { type LoopProgram, operandsOf } from "../program.ts";
import { lastReaders } from "./liveness.ts";

/** The early part of a program, and what keeping it costs. */
export interface Early {
  /** Instructions before this one are early. */
  readonly cut: number;
  /** For each early instruction the elements of its value, if a late one reads it; else 0. */
  readonly kept: Float64Array;
  /** For each early instruction the elements of the values before it that it or a later early one reads. */
  readonly crossing: Float64Array;
}

/**
 * The part of a program up to `cut`; by itself, up to where most elements are alive, which for a forward and a reverse sweep is where the
 * second begins. Cost: linear.
 */
export function earlyPart(program: LoopProgram, cut: number = mostAlive(program)): Early {
  const count = program.sources.length;
  const last = lastReaders(program);
  const lastEarly = new Int32Array(cut).fill(-1);
  for (let n = 0; n < cut; n++) {
    const instruction = program.instructions[n];
    if (instruction === undefined) break;
    for (const operand of operandsOf(instruction)) if (operand >= count) lastEarly[operand - count] = n;
  }
  const kept = new Float64Array(cut);
  const changes = new Float64Array(cut + 1);
  for (let n = 0; n < cut; n++) {
    const size = sizeOf(program.instructions[n]?.shape ?? [0]);
    if ((last[count + n] ?? 0) >= cut) kept[n] = size;
    const end = lastEarly[n] ?? -1;
    if (end < 0) continue;
    changes[n + 1] = (changes[n + 1] ?? 0) + size;
    changes[end + 1] = (changes[end + 1] ?? 0) - size;
  }
  let alive = 0;
  const crossing = Float64Array.from({ length: cut }, (_, n) => (alive += changes[n] ?? 0));
  return { cut, kept, crossing };
}

/**
 * The first instructions of at most so many segments of the early part, that keep about as much each: each boundary is where the least
 * crosses it within half a share of its own, and among equals the nearest. Cost: linear.
 */
export function startsOf({ cut, kept, crossing }: Early, parts: number): readonly number[] {
  const total = kept.reduce((sum, size) => sum + size, 0);
  const best: number[] = [];
  const distances: number[] = [];
  let sum = 0;
  for (let n = 1; n < cut; n++) {
    sum += kept[n - 1] ?? 0;
    const position = (sum / total) * parts;
    const share = Math.round(position);
    if (share < 1 || share >= parts) continue;
    const distance = Math.abs(position - share);
    const known = crossing[best[share] ?? -1] ?? Number.POSITIVE_INFINITY;
    const here = crossing[n] ?? 0;
    if (here > known || (here === known && distance >= (distances[share] ?? 1))) continue;
    best[share] = n;
    distances[share] = distance;
  }
  return [0, ...best.filter((start) => start > 0)];
}

/** The number of the first instruction after the one while which most elements are alive. */
function mostAlive(program: LoopProgram): number {
  const count = program.sources.length;
  const last = lastReaders(program);
  const freed = new Float64Array(program.instructions.length + 1);
  let [alive, most, found] = [0, 0, 0];
  for (const [n, { shape }] of program.instructions.entries()) {
    const size = sizeOf(shape);
    alive += size;
    if (alive > most) [most, found] = [alive, n + 1];
    const end = last[count + n] ?? n;
    freed[end] = (freed[end] ?? 0) + size;
    alive -= freed[n] ?? 0;
  }
  return found;
}
