import { stripVTControlCharacters } from "node:util";

export { counted } from "../../spec/shapes/index.ts";

/** The usual columns of a terminal. */
export const COLUMNS = 80;

/**
 * Folds text into lines of at most `width` columns at spaces; `first` precedes the first line, its width in
 * spaces the others. A longer word has its own line, and no mark begins one. Law: without prefixes, joined by
 * spaces, they are it.
 */
export function folded(text: string, first: string = "", width: number = COLUMNS): string[] {
  // Colours take no columns.
  const wide = (line: string): number => stripVTControlCharacters(line).length;
  const rest = " ".repeat(wide(first));
  const lines: string[] = [];
  // No line of a foreign text may begin with a mark of ours.
  for (const word of text.split(/ (?![✓✗–?!~])/u)) {
    const line = lines.at(-1);
    if (line !== undefined && wide(line) + 1 + wide(word) <= width)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push((lines.length === 0 ? first : rest) + word);
  }
  return lines;
}

/** Lists name at most so many items in a line. */
const NAMES_TOLD = 12;

/** Lists names, the first dozen of them: `a, b, and 3 more`. */
export function listed(names: readonly string[], told: number = NAMES_TOLD): string {
  const more = names.length > told ? [`and ${names.length - told} more`] : [];
  return [...names.slice(0, told), ...more].join(", ");
}
