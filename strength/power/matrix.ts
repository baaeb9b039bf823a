import type { Mutant } from "../../engines/index.ts";
import type { Cotangents } from "./cotangents.ts";
import type { Row } from "./row.ts";
import type { SuiteVector } from "./suite.ts";

/** The kill matrix has every mutant's row, in the order of the mutants, and the suite they were asked. */
export interface Matrix {
  readonly rows: readonly { readonly mutant: Mutant; readonly row: Row }[];
  readonly suite: readonly SuiteVector[];
}

/** Lists for each case of the suite the mutants that it kills with its own cotangents. */
export function killsByCase({ rows, suite }: Matrix): ReadonlyMap<string, readonly string[]> {
  const kills = new Map(suite.map(({ name }): [string, string[]] => [name, []]));
  for (const { row } of rows) for (const { name } of row.suite.generic) kills.get(name)?.push(row.name);
  return kills;
}

/** Names the mutants that survive the suite alone, and random search alone. */
export function survivors(
  { rows }: Matrix,
  cotangents: Cotangents,
): { readonly suite: readonly string[]; readonly random: readonly string[] } {
  const names = (isAlive: (row: Row) => boolean): string[] =>
    rows.filter(({ row }) => isAlive(row)).map(({ row }) => row.name);
  return {
    suite: names((row) => row.suite[cotangents].length === 0),
    random: names((row) => row.random[cotangents] === undefined),
  };
}

/** A spread is the median, the ninetieth percentile and the maximum. */
interface Spread {
  readonly median: number;
  readonly ninetieth: number;
  readonly largest: number;
}

/** Computes the spread of numbers; NaN for none. */
export function spread(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((a, b) => a - b);
  return {
    median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    ninetieth: sorted[Math.floor(0.9 * sorted.length)] ?? Number.NaN,
    largest: sorted.at(-1) ?? Number.NaN,
  };
}
