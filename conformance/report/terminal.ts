import { isMiscount, type Witness } from "../../oracle/index.ts";
import { operatorNames, type ReportJson } from "../../spec/index.ts";
import { type Section, unaskedOperators } from "./json.ts";
import { showCase, showExact, showId } from "./show.ts";

/** How to colour text; the identity where colours are off. */
export interface Palette {
  green(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  dim(text: string): string;
  bold(text: string): string;
}

/** A table as aligned lines: the first column to the left, the others to the right. */
export function alignedRows(rows: readonly (readonly Cell[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.text.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map(({ text, paint }, column) => {
        const width = widths[column] ?? 0;
        const padded = column === 0 ? text.padEnd(width) : text.padStart(width);
        return paint === undefined ? padded : paint(padded);
      })
      .join("  ")
      .trimEnd(),
  );
}

/** A cell, and how it is coloured once it has been padded. */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/** Verdicts counted per engine and precision. */
export function engineTable(sections: readonly Section[], palette: Palette): string[] {
  const kinds = ["agrees", "disagrees", "undecided", "unsupported", "crashed"] as const;
  const paints = {
    agrees: palette.green,
    disagrees: palette.red,
    undecided: palette.yellow,
    unsupported: palette.yellow,
    crashed: palette.red,
  };
  const head = ["engine", "version", "precision", ...kinds].map((text) => ({ text, paint: palette.bold }));
  const rows = sections.map(({ description, dtype, tally }): Cell[] => [
    { text: description.name },
    { text: description.version },
    { text: dtype },
    ...kinds.map((kind) => countCell(tally.counts[kind], paints[kind], palette.dim)),
  ]);
  return alignedRows([head, ...rows]);
}

/**
 * For each operator and engine: in how many agreeing cases it occurred, and behind a cross how many disagreements it
 * is to blame for. A dot: it was not asked about.
 */
export function operatorTable(sections: readonly Section[], palette: Palette): string[] {
  const head = [
    "operator",
    ...sections.map(({ description, dtype }) => `${description.name} ${dtype.replace("float", "f")}`),
  ];
  const rows = operatorNames.map((op): Cell[] => [
    { text: op },
    ...sections.map(({ tally }): Cell => {
      const counts = tally.operators.get(op);
      if (counts === undefined) return { text: "·", paint: palette.dim };
      if (counts.disagrees > 0) return { text: `${counts.agrees} ✗${counts.disagrees}`, paint: palette.red };
      return { text: String(counts.agrees), paint: counts.agrees > 0 ? palette.green : palette.yellow };
    }),
  ]);
  return alignedRows([head.map((text) => ({ text, paint: palette.bold })), ...rows]);
}

/** So many names are read in a line; the dots of the table show all. */
const NAMES_TOLD = 12;

/** For each engine that promises operators which no answered case had, how many and which these are. */
export function unaskedLines(sections: readonly Section[]): string[] {
  return sections.flatMap((section) => {
    const names = unaskedOperators(section);
    const { description, dtype } = section;
    if (names.length === 0) return [];
    const more = names.length > NAMES_TOLD ? [`and ${names.length - NAMES_TOLD} more`] : [];
    const told = [...names.slice(0, NAMES_TOLD), ...more].join(", ");
    return [
      `not asked of ${description.name}, ${dtype}: ${names.length} of the ${description.operators.length} operators it offers: ${told}`,
    ];
  });
}

/** What the random cases were drawn from; nothing where there were none. */
export function sharesLines(shares: ReportJson["shares"]): string[] {
  const parts = shares.map(({ profile, share }) => `${profile} ${Number((100 * share).toFixed(1))} %`);
  return parts.length === 0 ? [] : [`drawn from ${parts.join(", ")}`];
}

function countCell(count: number, paint: (text: string) => string, dim: (text: string) => string): Cell {
  return { text: String(count), paint: count > 0 ? paint : dim };
}

/** A disagreement as a person wants to see it: the graph, what was answered, what is true, and who is to blame. */
export function showWitness(witness: Witness, palette: Palette): string[] {
  const shown = showCase(witness.case).map((line) => `    ${line}`);
  if (isMiscount(witness)) {
    const counts = `${palette.red(witness.answer)} for ${palette.green(witness.expected)}`;
    return [...shown, `  ${witness.question}: answered ${counts}`, `  ${witness.blame.sentence}`];
  }
  return [
    ...shown,
    `  ${witness.question} at ${showId(witness.case, witness.id)}, element ${witness.element}:`,
    `    answered  ${palette.red(showExact(witness.answer))}`,
    `    expected  ${palette.green(showExact(witness.expected))}  within ${showExact(witness.bound)}`,
    `  ${witness.blame.sentence}`,
  ];
}
