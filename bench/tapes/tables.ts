import type { Measure } from "../../reference/package.ts";
import type { FamilyGrowth, LongRun, RunFigures } from "./collected.ts";
import { exponentOf, type Growth } from "./growth.ts";

/** Writes a Markdown table: names to the left, numbers to the right. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(heads),
    line(heads.map((_, column) => (column === 0 ? "---" : "---:"))),
    ...rows.map((row) => line(row)),
  ];
}

/** Writes a whole number with its thousands marked. */
export function counted(x: number): string {
  return x.toLocaleString("en");
}

/** Groups systems that take the same: their names, in order, and the first of them. */
export function alike<T>(
  all: readonly T[],
  keyOf: (one: T) => string,
  nameOf: (one: T) => string,
): readonly (readonly [names: string, one: T])[] {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map((one) => [group.map((other) => `\`${nameOf(other)}\``).join(", "), one] as const),
  );
}

const figures: readonly ((measure: Measure) => number)[] = [
  ({ entries }) => entries,
  ({ savedElements }) => savedElements,
  ({ bytes }) => bytes,
  ({ recomputedOperations }) => recomputedOperations,
  ({ bytesMoved }) => bytesMoved,
  ({ livePeak }) => livePeak,
];

/** Tabulates a family's systems at their largest sizes, with the growth of memory and work to there. */
export function growthTable({ counts, growths }: FamilyGrowth): string[] {
  const told = alike(
    growths,
    ({ reached, stopped }) => JSON.stringify([reached, stopped]),
    ({ system }) => system,
  );
  const largest = Math.max(...growths.flatMap(({ reached }) => reached.map(({ size }) => size)));
  const rows = told.map(([names, growth]) => [names, ...growthCells(growth, largest)]);
  const heads = ["system", counts, "lines", "elements", "bytes", "nodes again", "bytes moved", "peak"];
  return markdownTable([...heads, "peak as", "again as"], rows);
}

function growthCells({ reached, stopped }: Growth, largest: number): string[] {
  const last = reached.at(-1);
  if (last === undefined) return [stopped ?? "", "", "", "", "", "", "", "", ""];
  const grown = (figure: (measure: Measure) => number): string => {
    const exponent = exponentOf(reached, figure);
    return exponent === undefined ? "" : `n^${Math.abs(exponent).toFixed(2)}`;
  };
  const size = last.size < largest ? `${counted(last.size)}: ${stopped}` : counted(last.size);
  return [
    size,
    ...figures.map((figure) => counted(figure(last.measure))),
    grown(({ livePeak }) => livePeak),
    grown(({ recomputedOperations }) => recomputedOperations),
  ];
}

/** Tabulates the functions' peaks, and recomputed nodes for each of their nodes. */
export function runsTable(runs: readonly RunFigures[]): string[] {
  const systems = [...new Set(runs.flatMap((run) => run.figures.map(({ system }) => system)))];
  const cellsOf = (system: string): string[] =>
    runs.map(({ nodes, figures: found }) => {
      const measure = found.find((one) => one.system === system)?.measure;
      if (measure === undefined) return "refused";
      const { livePeak, recomputedOperations } = measure;
      return recomputedOperations === 0
        ? counted(livePeak)
        : `${counted(livePeak)} (${(recomputedOperations / nodes).toFixed(2)})`;
    });
  const told = alike(
    systems.map((system) => ({ system, cells: cellsOf(system) })),
    ({ cells }) => cells.join("|"),
    ({ system }) => system,
  );
  return markdownTable(
    ["system", ...runs.map(({ name, nodes }) => `${name}, ${counted(nodes)}`)],
    told.map(([names, { cells }]) => [names, ...cells]),
  );
}

/** Says in a sentence how long a long chain took. */
export function longRunText({ steps, slots, again, peak, seconds }: LongRun): string[] {
  const ratio = seconds.checkpointed / seconds.dynamic;
  return [
    `A chain of ${counted(steps)} steps with ${slots} slots computes ${counted(again)} nodes again, holds ${counted(peak)} bytes at`,
    `most and took ${seconds.checkpointed.toFixed(1)} s, ${ratio.toFixed(1)} times the ${seconds.dynamic.toFixed(1)} s of the tape that keeps all; the goal is 8 times.`,
  ];
}
