import { floatAt, integerAt } from "../../../../spec/shapes/index.ts";
import type { Steps } from "./steps.ts";

/** The steps of a part are computed again, and read by the reverse sweep, in one of these ways. */
export type Reversal =
  /** All steps are computed at once, and what late instructions read stays until they have read it. */
  | { readonly kind: "whole"; readonly from: number; readonly to: number }
  /** Steps up to `between` are computed for a snapshot; then the right part follows, then the left. */
  | {
      readonly kind: "split";
      readonly from: number;
      readonly between: number;
      readonly right: Reversal;
      readonly left: Reversal;
    };

/** The best plans of a chain for every amount of memory. */
export interface Reversals {
  /** Units of memory for which plans were sought. */
  readonly units: number;
  /** The least units for which there is a plan; −1 where there is nothing to keep. */
  readonly least: number;
  /** Returns the plan of least work within so many units, or `undefined`. */
  within(units: number): Reversal | undefined;
  /** Returns the work of that plan, including what is computed the first time. */
  workWithin(units: number): number;
}

/** Memory is counted in about so many units; sizes are rounded up to them. */
const UNITS = 64;

/** There may be so many units if then no snapshot of the usual size is rounded. */
const MOST_UNITS = 192;

/** A plan of more than so many times the work of a forward sweep would be too long a program. */
const MOST_WORK = 16;

/** If less than this share of the full memory is asked for, plans for up to this share are sought. */
const LEAST_PART = 1 / 16;

/**
 * Finds the best plans within `capacity` elements, by dynamic programming over parts and memory. A part is
 * whole if what is kept of it has room; else it is split, at the cost of the steps to the split and of both
 * parts.
 * Law: no plan of this form does less work in as many units. Cost: cubic in the steps, linear in the units.
 * Source: Beaumont et al., Checkpointing for heterogeneous chains, https://inria.hal.science/hal-02352969.
 */
export function reversalsOf(
  { work, kept, crossing, starts }: Pick<Steps, "work" | "kept" | "crossing" | "starts">,
  capacity: number,
): Reversals {
  const count = starts.length;
  const total = kept.reduce((sum, size) => sum + size, 0);
  const most = Math.min(total, Math.max(capacity, LEAST_PART * total));
  const unit = unitFor(most, crossing);
  const units = Math.ceil(most / unit);
  const [workUpTo, keptUpTo] = [sumsOf(work), sumsOf(kept)];
  const snapshot = crossing.map((size) => Math.ceil(size / unit));
  const between = (sums: Float64Array, from: number, to: number): number =>
    floatAt(sums, to) - floatAt(sums, from);
  const place = (from: number, to: number): number => (from * (count + 1) + to) * (units + 1);
  const best = new Float64Array(place(count, count) + units + 1).fill(Number.POSITIVE_INFINITY);
  /** A part is split here; 0 means that it is whole, because no split lies at a part's beginning. */
  const splits = new Int32Array(best.length);
  for (let length = 1; length <= count; length++)
    for (let from = 0; from + length <= count; from++) {
      const to = from + length;
      const here = place(from, to);
      const [way, room] = [between(workUpTo, from, to), Math.ceil(between(keptUpTo, from, to) / unit)];
      for (let m = room; m <= units; m++) best[here + m] = way;
      // Computing a part whole is the least work, so that splits matter only where it has no room.
      for (let split = from + 1; split < to; split++) {
        const taken = floatAt(snapshot, split);
        const [toSplit, right, left] = [between(workUpTo, from, split), place(split, to), place(from, split)];
        for (let m = taken; m < Math.min(room, units + 1); m++) {
          const cost = toSplit + floatAt(best, right + m - taken) + floatAt(best, left + m);
          if (cost >= floatAt(best, here + m)) continue;
          best[here + m] = cost;
          splits[here + m] = split;
        }
      }
    }
  const all = place(0, count);
  const reversalIn = (from: number, to: number, m: number): Reversal => {
    const split = integerAt(splits, place(from, to) + m);
    if (split === 0) return { kind: "whole", from, to };
    const right = reversalIn(split, to, m - floatAt(snapshot, split));
    return { kind: "split", from, between: split, right, left: reversalIn(from, split, m) };
  };
  const mostWork = MOST_WORK * between(workUpTo, 0, count);
  const workWithin = (m: number): number => {
    const found = floatAt(best, all + m);
    return found <= mostWork ? found : Number.POSITIVE_INFINITY;
  };
  return {
    units,
    least:
      total === 0
        ? -1
        : Array.from({ length: units + 1 }, (_, m) => workWithin(m)).findIndex(Number.isFinite),
    within: (m) => (Number.isFinite(workWithin(m)) ? reversalIn(0, count, m) : undefined),
    workWithin,
  };
}

/** Chooses a unit that divides the most frequent snapshot, unless that takes too many units. */
function unitFor(most: number, crossing: Float64Array): number {
  const occurrences = new Map<number, number>();
  for (const size of crossing) if (size > 0) occurrences.set(size, (occurrences.get(size) ?? 0) + 1);
  const [usual] = [...occurrences].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0]);
  const coarse = most / UNITS;
  const fitting = usual / Math.max(1, Math.ceil(usual / coarse));
  return Math.max(1, fitting > 0 && most / fitting <= MOST_UNITS ? fitting : coarse);
}

function sumsOf(sizes: Float64Array): Float64Array {
  const sums = new Float64Array(sizes.length + 1);
  for (const [n, size] of sizes.entries()) sums[n + 1] = floatAt(sums, n) + size;
  return sums;
}
