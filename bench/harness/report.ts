import type { Mode } from "../contestants/contestant.ts";
import { unitRoundoff } from "../deviation.ts";
import type { ImportTime } from "./import_time.ts";
import type { Outcome } from "./measure.ts";

/** A section has a workload's outcomes in one mode. */
export interface Section {
  readonly workload: string;
  readonly mode: Mode;
  readonly outcomes: readonly Outcome[];
}

/** Writes a time with its unit, three digits. */
export function formatTime(nanoseconds: number): string {
  for (const [unit, size] of [
    ["s", 1e9],
    ["ms", 1e6],
    ["µs", 1e3],
  ] as const) {
    if (nanoseconds >= size) return `${digits(nanoseconds / size)} ${unit}`;
  }
  return `${digits(nanoseconds)} ns`;
}

function digits(x: number): string {
  return x >= 1000 ? x.toFixed(0) : x.toPrecision(3);
}

const roundings = (deviation: number | undefined, precision: Outcome["precision"]): string =>
  deviation === undefined ? "" : `${(deviation / unitRoundoff[precision]).toPrecision(2)} u`;

/** Tabulates a section: the fastest first, each with its ratio to it and to the fastest yardstick in C. */
export function formatSection({ workload, mode, outcomes }: Section): string {
  const timed = outcomes.flatMap((outcome) => (outcome.kind === "timed" ? [outcome] : []));
  const sorted = timed.toSorted((x, y) => x.least - y.least);
  const best = sorted[0]?.least ?? Number.NaN;
  const yardstick = sorted.find(({ contestant }) => contestant.startsWith("C "))?.least;
  const rows = sorted.map(({ contestant, precision, least, median, preparation, memory, deviations }) => [
    contestant,
    precision === "float32" ? "f32" : "f64",
    formatTime(least),
    formatTime(median),
    `${(least / best).toFixed(2)}×`,
    yardstick === undefined ? "" : `${(least / yardstick).toFixed(2)}×`,
    preparation === undefined ? "" : formatTime(preparation),
    memory === undefined ? "" : `${((memory.peak - memory.before) / 2 ** 20).toFixed(0)} MiB`,
    roundings(deviations.value, precision),
    roundings(deviations.gradient, precision),
  ]);
  const heads = ["", "", "least", "median", "best", "C", "prepared", "memory", "value off", "gradient off"];
  const others = outcomes.flatMap((outcome) => {
    if (outcome.kind === "timed") return [];
    if (outcome.kind !== "wrong")
      return outcome.reason === "not written for it"
        ? []
        : [`  ${outcome.contestant}: ${outcome.kind}, ${outcome.reason}`];
    const { value, gradient } = outcome.deviations;
    return [
      `  ${outcome.contestant}: WRONG, value off by ${value.toPrecision(2)}, gradient by ${gradient?.toPrecision(2) ?? "?"} of the largest`,
    ];
  });
  return [`${workload}, ${mode}`, ...table([heads, ...rows]), ...others].join("\n");
}

/** Tabulates import times, the shortest first. */
export function formatImports(times: readonly ImportTime[]): string {
  const rows = times
    .toSorted((x, y) => x.median - y.median)
    .map(({ module, least, median }) => [module, formatTime(least * 1e6), formatTime(median * 1e6)]);
  return ["import in a fresh process", ...table([["", "least", "median"], ...rows])].join("\n");
}

/** Writes rows as lines: the first column to the left, the others to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    return `  ${cells.join("  ")}`.trimEnd();
  });
}
