import type { Lifetime, Lifetimes } from "../../reference/state/index.ts";
import { nodeAt, type PrimitiveGraph } from "../../spec/graph/index.ts";
import { assertNever, at, counted, type NodeId, visible } from "../../spec/shapes/index.ts";
import { type DataType, formats } from "../../spec/wire/index.ts";
import { cut, WIDTH } from "./folded.ts";
import { type PlanName, placesIn, type Storage } from "./storage.ts";

/** Lifetimes to show, and the graph they belong to. */
export interface ShownLifetimes {
  readonly graph: PrimitiveGraph;
  readonly lifetimes: Lifetimes;
  readonly storage: Storage;
  readonly dtype: DataType;
  /** Inputs and Δ are among the values. */
  readonly countsGiven: boolean;
}

/** A value's name is cut to so many characters. */
const NAME_WIDTH = 20;

/** At most so many values are shown; `--json` has all. */
const MOST_SHOWN = 400;

/** Shows lifetimes and storage: a table of values, a chart of their intervals, and the need of each plan. */
export function showLifetimes(shown: ShownLifetimes): string[] {
  const { values } = shown.lifetimes;
  const rest = values.length - MOST_SHOWN;
  const more = rest > 0 ? [`… and ${rest} more, which --json has`] : [];
  return [
    ...headOf(shown),
    "",
    ...tableOf(shown),
    ...more,
    "",
    ...chartOf(shown),
    ...more,
    "",
    ...peaksOf(shown),
  ];
}

function headOf({ lifetimes: { steps, turn }, countsGiven }: ShownLifetimes): string[] {
  return [
    `${counted(steps.length, "step")}: ${turn} forward, the turn, ${steps.length - 1 - turn} in reverse.`,
    countsGiven ? "Inputs and Δ are counted." : "Inputs and Δ are the caller's, and not counted.",
  ];
}

/** Names a value: `3 multiply`, `0 input x`, `Δ k`, `cotangent of 3`. */
export function nameOfValue(graph: PrimitiveGraph, value: Lifetime): string {
  switch (value.kind) {
    case "entry":
      return cut(`Δ ${visible(value.name)}`, NAME_WIDTH);
    case "cotangent":
      return `cotangent of ${value.id}`;
    case "primal":
      return cut(`${value.id} ${operatorOf(graph, value.id)}`, NAME_WIDTH);
    default:
      return assertNever(value);
  }
}

function operatorOf(graph: PrimitiveGraph, id: NodeId): string {
  return nodeAt(graph, id)?.op ?? `input ${visible(graph.inputs[id]?.name ?? "")}`;
}

const headings = ["value", "elements", "bytes", "place", "forward", "reverse", "kept for"] as const;

/** Columns of numbers, which are aligned to the right. */
const rightwards: readonly number[] = [1, 2, 3];

function tableOf({ graph, lifetimes, storage, dtype }: ShownLifetimes): string[] {
  const places = placesIn(storage);
  const rows = lifetimes.values
    .slice(0, MOST_SHOWN)
    .map((value, n) => [
      nameOfValue(graph, value),
      `${value.elements}`,
      `${value.elements * formats[dtype].bytes}`,
      `${at(places, n)}`,
      ...intervalsOf(value, lifetimes.turn),
      reasonOf(value),
    ]);
  const table = [[...headings], ...rows];
  const widths = headings.map((_, column) => Math.max(...table.map((row) => at(row, column).length)));
  return table.map((row) =>
    cut(
      row
        .map((cell, column) =>
          rightwards.includes(column) ? cell.padStart(at(widths, column)) : cell.padEnd(at(widths, column)),
        )
        .join("  ")
        .trimEnd(),
      WIDTH,
    ),
  );
}

/** Returns a value's steps in the forward pass and in the reverse pass. */
function intervalsOf(value: Lifetime, turn: number): [forward: string, reverse: string] {
  const { born, last } = value;
  if (value.kind === "cotangent") return ["", `${born}–${last}`];
  return [`${born}–${value.lastForward}`, last >= turn ? `to ${last}` : ""];
}

/** Names at most so many of the rules that a value is kept for. */
const MOST_RULES = 3;

/** Says why a value outlives its last forward reader; the last rule named is the one that ends it. */
function reasonOf(value: Lifetime): string {
  if (value.kind === "cotangent") return value.isWanted ? "wanted" : "";
  const last = value.neededBy.slice(-1);
  const named =
    value.neededBy.length > MOST_RULES
      ? [...value.neededBy.slice(0, MOST_RULES - 1), "…", ...last]
      : value.neededBy;
  const rules = named.length === 0 ? [] : [`${named.length === 1 ? "rule" : "rules"} of ${named.join(", ")}`];
  const result = value.kind === "primal" && value.isResult ? ["result"] : [];
  return [...rules, ...result].join("; ");
}

/** Draws a line for each value and a column for each step or few: `=` in the forward pass, `#` in reverse. */
function chartOf({ graph, lifetimes: { steps, turn, values } }: ShownLifetimes): string[] {
  const names = values.slice(0, MOST_SHOWN).map((value) => nameOfValue(graph, value));
  const indent = Math.max("value".length, ...names.map((name) => name.length)) + 2;
  const stride = Math.ceil(steps.length / (WIDTH - indent));
  const columns = Array.from({ length: Math.ceil(steps.length / stride) }, (_, column) => ({
    from: column * stride,
    to: (column + 1) * stride - 1,
  }));
  const line = (name: string, mark: (column: { from: number; to: number }) => string): string =>
    (name.padEnd(indent) + columns.map(mark).join("")).trimEnd();
  const head = line("", ({ from, to }) => (to < turn ? "f" : from <= turn ? "|" : "r"));
  const rows = values.slice(0, MOST_SHOWN).map(({ born, last }, n) =>
    line(at(names, n), ({ from, to }) => {
      if (to < born || from > last) return ".";
      return Math.max(from, born) >= turn ? "#" : "=";
    }),
  );
  return stride === 1 ? [head, ...rows] : [`each column is ${stride} steps`, head, ...rows];
}

const planWords: { readonly [P in PlanName]: string } = {
  "best-fit": "best fit in time",
  size: "best fit by size",
  optimum: "optimum",
};

function peaksOf({ lifetimes, storage: { need, plans, chosen }, dtype }: ShownLifetimes): string[] {
  const line = (what: string, elements: number, remark: string): string =>
    `${what.padEnd(18)}${`${elements}`.padStart(8)} elements ${`${elements * formats[dtype].bytes}`.padStart(9)} bytes${remark === "" ? "" : `  ${remark}`}`;
  const all = lifetimes.values.reduce((sum, { elements }) => sum + elements, 0);
  return [
    line("nothing reused", all, ""),
    line("lower bound", need.elements, `at step ${need.step}`),
    ...[...plans].map(([name, { plan, isProved }]) => {
      const remarks = [
        ...(name === "optimum" && !isProved ? ["the best that was found"] : []),
        ...(name === chosen ? ["places above"] : []),
      ];
      return line(planWords[name], plan.peak, remarks.join("; "));
    }),
  ];
}
