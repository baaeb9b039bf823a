import type { Levels } from "./levels.ts";

/**
 * The ids that `isLive` names, by (level, variant, id): two stable counting sorts, by variant and then by level. Ids below `inputs` all come
 * first, live or not. Cost: linear in ids, levels and variants.
 */
export function sortedByLevel(
  levels: Levels,
  variants: Uint8Array,
  variantCount: number,
  isLive: Uint8Array,
  inputs: number,
): Int32Array {
  const length = variants.length;
  const starts = new Int32Array(variantCount + 1);
  let count = 0;
  for (let id = inputs; id < length; id++) {
    if (isLive[id] === 0) continue;
    count++;
    const next = (variants[id] ?? 0) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  accumulate(starts);
  const byVariant = new Int32Array(count);
  const levelStarts = new Int32Array(levels.count + 1);
  for (let id = inputs; id < length; id++) {
    if (isLive[id] === 0) continue;
    const variant = variants[id] ?? 0;
    const at = starts[variant] ?? 0;
    starts[variant] = at + 1;
    byVariant[at] = id;
    const next = (levels.of[id] ?? 0) + 1;
    levelStarts[next] = (levelStarts[next] ?? 0) + 1;
  }
  accumulate(levelStarts);
  const sorted = new Int32Array(inputs + count);
  for (let id = 0; id < inputs; id++) sorted[id] = id;
  for (let n = 0; n < count; n++) {
    const id = byVariant[n] ?? 0;
    const level = levels.of[id] ?? 0;
    const at = levelStarts[level] ?? 0;
    levelStarts[level] = at + 1;
    sorted[inputs + at] = id;
  }
  return sorted;
}

/** The ids that `isLive` names in their own order, after those below `inputs`. Cost: linear. */
export function sortedById(isLive: Uint8Array, inputs: number): Int32Array {
  const length = isLive.length;
  let count = inputs;
  for (let id = inputs; id < length; id++) count += isLive[id] ?? 0;
  const sorted = new Int32Array(count);
  let at = 0;
  for (let id = 0; id < length; id++) {
    if (id < inputs || isLive[id] === 1) sorted[at++] = id;
  }
  return sorted;
}

function accumulate(counts: Int32Array): void {
  let sum = 0;
  for (let n = 0; n < counts.length; n++) {
    sum += counts[n] ?? 0;
    counts[n] = sum;
  }
}
