/** The columns of a terminal that nobody has made wider. */
export const COLUMNS = 80;

/**
 * Text in lines of at most eighty columns, broken at spaces: `first` stands before the first line, as many spaces before the
 * others. A word that is longer than a line has one of its own. Law: without what stands before, joined by spaces, the lines are the text.
 */
export function folded(text: string, first = ""): string[] {
  const rest = " ".repeat(first.length);
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= COLUMNS)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push((lines.length === 0 ? first : rest) + word);
  }
  return lines;
}

/** So many names are read in a line. */
const NAMES_TOLD = 12;

/** Names, the first dozen of them: `a, b, and 3 more`. */
export function listed(names: readonly string[], told: number = NAMES_TOLD): string {
  const more = names.length > told ? [`and ${names.length - told} more`] : [];
  return [...names.slice(0, told), ...more].join(", ");
}

/** A number and what it counts: `1 case`, `2 cases`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
