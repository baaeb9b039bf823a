import { visible } from "../shapes/index.ts";
import type { TextFault } from "./fault.ts";

/** Returns where the lines of a text start, up to an offset. */
export function startsOf(text: string, until: number = text.length): readonly number[] {
  const starts = [0];
  const breaks = /\r\n|\n|\r/g;
  while (breaks.test(text) && breaks.lastIndex <= until) starts.push(breaks.lastIndex);
  return starts;
}

/** Names a place as editors do: the line, and the column in it, counted from 1: `3:7`. */
export function positionOf(text: string, { start }: TextFault["place"]): string {
  const line = lineAt(text, start);
  return `${line.row}:${start - line.start + 1}`;
}

/** Finds the line around an offset: its number, from 1, and where it starts. */
function lineAt(text: string, offset: number): { readonly row: number; readonly start: number } {
  const starts = startsOf(text, offset);
  return { row: starts.length, start: starts.at(-1) ?? 0 };
}

/** Lines longer than this are shown around the place alone. */
const WIDTH = 96;

/**
 * Shows a fault as rustc does: what is wrong, the file and line, the line itself with marks below the place,
 * and what to do. Columns count characters from 1.
 */
export function frameOf(file: string, text: string, { code, place, message, hint }: TextFault): string[] {
  const { row, start } = lineAt(text, place.start);
  const column = place.start - start;
  const whole = /^[^\r\n]*/.exec(text.slice(start))?.[0] ?? "";
  const from = column < WIDTH - 16 ? 0 : column - 24;
  const shown = visible(whole.slice(from, from + WIDTH)).trimEnd();
  const lead = from === 0 ? "" : "…";
  const marked = Math.max(1, Math.min(place.end - place.start, whole.length - column, WIDTH - 16));
  const margin = " ".repeat(`${row}`.length);
  const pad = " ".repeat(visible(whole.slice(from, column), WIDTH).length + lead.length);
  return [
    `${code}: ${visible(message)}`,
    `${margin}--> ${visible(file)}:${row}:${column + 1}`,
    `${margin} |`,
    `${row} | ${lead}${shown}`,
    `${margin} | ${pad}${"^".repeat(marked)} ${visible(hint)}`,
  ];
}
