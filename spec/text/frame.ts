import { visible } from "../shapes/index.ts";
import type { TextFault } from "./fault.ts";

/** Lines longer than this are shown around the place alone. */
const WIDTH = 96;

/**
 * Shows a fault as rustc does: what is wrong, the file and line, the line itself with marks below the place,
 * and what to do. Columns count characters from 1.
 */
export function frameOf(file: string, text: string, { code, place, message, hint }: TextFault): string[] {
  const before = text.slice(0, place.start).split(/\r\n|\n|\r/);
  const row = before.length;
  const column = before.at(-1)?.length ?? 0;
  const start = place.start - column;
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
