import type { Action } from "./schedule.ts";

/**
 * Keeps the beginning of each of `segments` parts, and all states of the part that is reversed: each step is
 * made once more at most. By default about as many segments as states in each. Source: Chen et al. (2016).
 */
export function* segmentSchedule(
  length: number,
  segments: number = Math.ceil(Math.sqrt(length)),
): Generator<Action> {
  const size = Math.max(1, Math.ceil(length / Math.max(1, segments)));
  const starts = Array.from({ length: Math.ceil(length / size) }, (_, n) => n * size);
  for (const [slot, start] of starts.entries()) {
    if (slot > 0) yield { kind: "advance", from: start - size, to: start };
    yield { kind: "store", slot, at: start };
  }
  for (const [slot, from] of [...starts.entries()].reverse()) {
    const to = Math.min(length, from + size);
    if (slot < starts.length - 1) yield { kind: "restore", slot, at: from };
    for (let step = from + 1; step < to; step++) {
      yield { kind: "advance", from: step - 1, to: step };
      if (step < to - 1) yield { kind: "store", slot: starts.length + step - from - 1, at: step };
    }
    for (let step = to - 1; step >= from; step--) {
      if (step < to - 1) {
        const place = step === from ? slot : starts.length + step - from - 1;
        yield { kind: "restore", slot: place, at: step };
      }
      yield { kind: "reverse", step };
    }
  }
}
