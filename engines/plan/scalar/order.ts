import type { Levels } from "./levels.ts";
import type { Variants } from "./variants.ts";

/** Ids in an order, and where it is of one kind. */
export interface Sorted {
  readonly ids: Int32Array;
  /** Rows of three: a variant, and the positions from … to that have it, all of one level. Leaves make none. */
  readonly runs: Int32Array;
}

/**
 * The ids that `isLive` names, by (level, variant, id): two stable counting sorts, by variant and then by level. Ids below `inputs` all come
 * first, live or not. Cost: linear in ids, levels and variants.
 */
export function sortedByLevel(
  levels: Levels,
  variants: Variants,
  isLive: Uint8Array,
  inputs: number,
): Sorted {
  const byVariant = sortedByVariant(variants, isLive, inputs);
  const ends = new Int32Array(levels.count + 1);
  for (let id = inputs; id < isLive.length; id++) {
    if (isLive[id] === 0) continue;
    const next = (levels.of[id] ?? 0) + 1;
    ends[next] = (ends[next] ?? 0) + 1;
  }
  ends[0] = inputs;
  accumulate(ends);
  const ids = new Int32Array(inputs + byVariant.length);
  const variantAt = new Uint8Array(ids.length);
  for (let id = 0; id < inputs; id++) ids[id] = id;
  for (let n = 0; n < byVariant.length; n++) {
    const id = byVariant[n] ?? 0;
    const level = levels.of[id] ?? 0;
    const at = ends[level] ?? 0;
    ends[level] = at + 1;
    ids[at] = id;
    variantAt[at] = variants.of[id] ?? 0;
  }
  return { ids, runs: runsOf(variantAt, ends, variants, inputs) };
}

/** The ids by (variant, id). */
function sortedByVariant(variants: Variants, isLive: Uint8Array, inputs: number): Int32Array {
  const starts = new Int32Array(variants.list.length + 1);
  for (let id = inputs; id < isLive.length; id++) {
    if (isLive[id] === 0) continue;
    const next = (variants.of[id] ?? 0) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  accumulate(starts);
  const sorted = new Int32Array(starts[variants.list.length] ?? 0);
  for (let id = inputs; id < isLive.length; id++) {
    if (isLive[id] === 0) continue;
    const variant = variants.of[id] ?? 0;
    const at = starts[variant] ?? 0;
    starts[variant] = at + 1;
    sorted[at] = id;
  }
  return sorted;
}

/** The stretches of equal variants within the levels that end at `ends`. */
function runsOf(variantAt: Uint8Array, ends: Int32Array, { list }: Variants, inputs: number): Int32Array {
  const rows: number[] = [];
  let from = inputs;
  for (const end of ends) {
    while (from < end) {
      const variant = variantAt[from] ?? 0;
      let to = from + 1;
      while (to < end && variantAt[to] === variant) to++;
      if (list[variant]?.name !== undefined) rows.push(variant, from, to);
      from = to;
    }
  }
  return Int32Array.from(rows);
}

/** The ids that `isLive` names in their own order, after those below `inputs`. Cost: linear. */
export function sortedById(isLive: Uint8Array, inputs: number): Sorted {
  const length = isLive.length;
  let count = inputs;
  for (let id = inputs; id < length; id++) count += isLive[id] ?? 0;
  const ids = new Int32Array(count);
  let at = 0;
  for (let id = 0; id < length; id++) {
    if (id < inputs || isLive[id] === 1) ids[at++] = id;
  }
  return { ids, runs: new Int32Array(0) };
}

function accumulate(counts: Int32Array): void {
  let sum = 0;
  for (let n = 0; n < counts.length; n++) {
    sum += counts[n] ?? 0;
    counts[n] = sum;
  }
}
