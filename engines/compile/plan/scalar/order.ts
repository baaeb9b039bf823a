import { at, byteAt, integerAt } from "../../../../spec/shapes/index.ts";
import type { Levels } from "./levels.ts";
import type { Variants } from "./variants.ts";

/** An order of ids, and its runs of one kind. */
export interface Sorted {
  /** The position of each id; −1 for those left out. */
  readonly slotOf: Int32Array;
  /** The number of positions. */
  readonly slots: number;
  /** Rows of three: a variant, and the positions from … to of one level that have it. Leaves have none. */
  readonly runs: Int32Array;
}

/**
 * Sorts the ids of `isLive` by (level, variant, id), with one stable counting sort. Ids below `inputs` come
 * first, live or not. Cost: linear in ids, and in levels times variants.
 */
export function sortedByLevel(
  levels: Levels,
  variants: Variants,
  isLive: Uint8Array,
  inputs: number,
): Sorted {
  const kinds = variants.list.length;
  const next = new Int32Array(levels.count * kinds);
  const length = isLive.length;
  for (let id = inputs; id < length; id++) {
    if (isLive[id] === 0) continue;
    const bucket = integerAt(levels.of, id) * kinds + byteAt(variants.of, id);
    next[bucket] = integerAt(next, bucket) + 1;
  }
  const rows: number[] = [];
  let slots = inputs;
  for (let level = 0; level < levels.count; level++) {
    for (let variant = 0; variant < kinds; variant++) {
      const bucket = level * kinds + variant;
      const to = slots + integerAt(next, bucket);
      if (to > slots && at(variants.list, variant).name !== undefined) rows.push(variant, slots, to);
      next[bucket] = slots;
      slots = to;
    }
  }
  const slotOf = new Int32Array(length);
  for (let id = 0; id < length; id++) {
    if (id < inputs || isLive[id] === 0) {
      slotOf[id] = id < inputs ? id : -1;
      continue;
    }
    const bucket = integerAt(levels.of, id) * kinds + byteAt(variants.of, id);
    const slot = integerAt(next, bucket);
    next[bucket] = slot + 1;
    slotOf[id] = slot;
  }
  return { slotOf, slots, runs: Int32Array.from(rows) };
}

/** Keeps the ids of `isLive` in their own order, after those below `inputs`. Cost: linear. */
export function sortedById(isLive: Uint8Array, inputs: number): Sorted {
  const slotOf = new Int32Array(isLive.length);
  let slots = 0;
  for (let id = 0; id < slotOf.length; id++) {
    if (id < inputs || isLive[id] === 1) slotOf[id] = slots++;
    else slotOf[id] = -1;
  }
  return { slotOf, slots, runs: new Int32Array(0) };
}
