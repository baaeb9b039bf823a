import type { Staging } from "./staging.ts";
import type { Variants } from "./variants.ts";

/** In place of a variant in a reverse row: add the rows of the staging's sums from … to. */
export const SUMS: number = -1;

/**
 * The runs of the reverse sweep, in its order: those that hand something on, last first, each after the sums that make the cotangents of
 * its slots; at last the sums of the leaves. Everything that contributes to a slot is of a higher level, so it came before.
 * Cost: linear in rows.
 */
export function reverseRunsOf(runs: Int32Array, { sums }: Staging, { list }: Variants): Int32Array {
  const rows: number[] = [];
  let sum = sums.length / 3;
  const sumsFrom = (slot: number): void => {
    const to = sum;
    while (sum > 0 && (sums[3 * sum - 3] ?? 0) >= slot) sum--;
    if (sum < to) rows.push(SUMS, sum, to);
  };
  for (let at = runs.length - 3; at >= 0; at -= 3) {
    const [variant = 0, from = 0, to = 0] = runs.subarray(at, at + 3);
    sumsFrom(from);
    if (list[variant]?.receives !== 0) rows.push(variant, from, to);
  }
  sumsFrom(0);
  return Int32Array.from(rows);
}
