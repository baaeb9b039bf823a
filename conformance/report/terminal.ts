import type { ReportJson } from "../../spec/wire/index.ts";
import { folded } from "./fold.ts";

/** Colours text; each function is the identity where colours are off. */
export interface Palette {
  green(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  dim(text: string): string;
  bold(text: string): string;
}

/** Aligns a table's columns: the first to the left, the others to the right. */
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

/** A cell, and how to colour it once it has been padded. */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/** Says which of the cases were asked; nothing where all were. */
export function selectionLines(selection: ReportJson["selection"], width?: number): string[] {
  if (selection === undefined) return [];
  const { operators, excluded } = selection;
  const parts = [
    ...(operators.length > 0 ? [`with ${operators.join(" or ")}`] : []),
    ...(excluded.length > 0 ? [`without ${excluded.join(" and ")}`] : []),
  ];
  return folded(`of all cases those ${parts.join(", ")}`, "", width);
}

/** Says which profiles the random cases were drawn from; nothing where there were none. */
export function sharesLines(shares: ReportJson["shares"], width?: number): string[] {
  const parts = shares.map(({ profile, share }) => `${profile} ${Number((100 * share).toFixed(1))} %`);
  return parts.length === 0 ? [] : folded(`drawn from ${parts.join(", ")}`, "", width);
}
