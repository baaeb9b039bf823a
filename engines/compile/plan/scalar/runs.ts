import { at, integerAt } from "../../../../spec/shapes/index.ts";
import type { Staging } from "./staging.ts";
import type { Variants } from "./variants.ts";

/** Stands for a variant in a reverse row that adds the rows from … to of the staging's sums. */
export const SUMS: number = -1;

/**
 * Returns the runs of the reverse sweep, the last first, each after the sums of its slots' cotangents; then
 * the sums of the leaves. What contributes to a slot is of a higher level, so it came before. Cost: linear in
 * rows.
 */
export function reverseRunsOf(runs: Int32Array, { sums }: Staging, { list }: Variants): Int32Array {
  const rows: number[] = [];
  let sum = sums.length / 3;
  const sumsFrom = (slot: number): void => {
    const to = sum;
    while (sum > 0 && integerAt(sums, 3 * sum - 3) >= slot) sum--;
    if (sum < to) rows.push(SUMS, sum, to);
  };
  for (let row = runs.length - 3; row >= 0; row -= 3) {
    const variant = integerAt(runs, row);
    const from = integerAt(runs, row + 1);
    sumsFrom(from);
    if (at(list, variant).receives !== 0) rows.push(variant, from, integerAt(runs, row + 2));
  }
  sumsFrom(0);
  return Int32Array.from(rows);
}
