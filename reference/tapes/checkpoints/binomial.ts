import type { Action } from "./schedule.ts";

/** Returns `C(n, k)`; 0 unless 0 ≤ k ≤ n. It is exact below 2⁵³, and never too small above. */
export function binomial(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  let found = 1;
  for (let i = 1; i <= Math.min(k, n - k); i++)
    found = Math.round((found * (n - Math.min(k, n - k) + i)) / i);
  return found;
}

/** Returns the least `r` with `C(s + r, s) ≥ l`: so often `slots` snapshots make each of `length` steps. */
function repetitions(length: number, slots: number): number {
  let r = 0;
  while (binomial(slots + r, slots) < length) r += 1;
  return r;
}

/** The most often a step is made, and the lengths with that number, from `shortest` to `longest`. */
export function reachOf(
  length: number,
  slots: number,
): { readonly repetitions: number; readonly shortest: number; readonly longest: number } {
  const r = repetitions(length, slots);
  return {
    repetitions: r,
    shortest: r === 0 ? 0 : binomial(slots + r - 1, slots) + 1,
    longest: binomial(slots + r, slots),
  };
}

/** Returns the least extra steps, `r·l − C(s + r, r − 1)`. Source: Griewank and Walther, 2000. */
export function binomialCost(length: number, slots: number): number {
  const r = repetitions(length, slots);
  return r * length - binomial(slots + r, r - 1);
}

/**
 * Counts the steps that are made before the next snapshot is taken, of `length` steps for which there are
 * `slots` slots, the one with their beginning included. The left part is then as long as `slots` reach with
 * one repetition less, or shorter so that the right part is not too short: of the best splits the rightmost.
 */
export function binomialSplit(length: number, slots: number): number {
  const r = repetitions(length, slots);
  return Math.max(1, Math.min(binomial(slots + r - 1, slots), length - binomial(slots + r - 2, slots - 1)));
}

interface Part {
  readonly from: number;
  readonly to: number;
  /** The slot that holds the state at `from`; those above it are free. */
  readonly slot: number;
  /** The run is at `from`. */
  readonly isThere: boolean;
}

/** Says how many steps precede the next snapshot. `slots` counts the free ones and the beginning's. */
export type Split = (from: number, to: number, slots: number) => number;

/**
 * Yields the schedule that reverses a part of a chain whose beginning is in `slot`. A free slot takes a state
 * between; the right part goes first, then the left, with that slot free again. Memory: a waiting part for
 * each slot.
 */
export function* reversalOf(whole: Part, slots: number, split: Split): Generator<Action> {
  const pending: Part[] = [whole];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const { from, to, slot, isThere } = part;
    if (to <= from) continue;
    if (!isThere) yield { kind: "restore", slot, at: from };
    if (to - from === 1) {
      yield { kind: "reverse", step: from };
      continue;
    }
    const free = slots - slot - 1;
    const between = free > 0 ? from + split(from, to, free + 1) : to - 1;
    yield { kind: "advance", from, to: between };
    if (free > 0) {
      yield { kind: "store", slot: slot + 1, at: between };
      pending.push({ from, to: between, slot, isThere: false });
      pending.push({ from: between, to, slot: slot + 1, isThere: true });
    } else {
      yield { kind: "reverse", step: between };
      pending.push({ from, to: between, slot, isThere: false });
    }
  }
}

/**
 * The best schedule for a chain of `length` equal steps with `slots` slots, the first of which holds the
 * beginning: `revolve`. Law: its extra steps are {@link binomialCost}. Source: as there.
 */
export function* binomialSchedule(length: number, slots: number): Generator<Action> {
  yield { kind: "store", slot: 0, at: 0 };
  yield* reversalOf({ from: 0, to: length, slot: 0, isThere: true }, slots, (from, to, free) =>
    binomialSplit(to - from, free),
  );
}
