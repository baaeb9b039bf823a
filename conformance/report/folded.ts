/** Lines have at most so many columns. */
export const WIDTH = 80;

/** Folds a text into lines of at most `width` characters; longer words are cut, if possible after a `·`. */
export function folded(text: string, width: number = WIDTH): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((whole) => pieces(whole, width))) {
    const next = line === "" ? word : `${line} ${word}`;
    if ([...next].length <= width) line = next;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function pieces(word: string, width: number): string[] {
  const found: string[] = [];
  let rest = [...word];
  while (rest.length > width) {
    const dot = rest.lastIndexOf("·", width - 1);
    const end = dot > 0 ? dot + 1 : width;
    found.push(rest.slice(0, end).join(""));
    rest = rest.slice(end);
  }
  return [...found, rest.join("")];
}

/** Writes a label, and beside it a text that continues below itself. */
export function labelled(label: string, text: string, width: number, columns: number = WIDTH): string[] {
  const [first = "", ...others] = folded(text, columns - width - 4);
  const indent = " ".repeat(width + 4);
  return [`  ${label.padEnd(width)}  ${first}`, ...others.map((line) => indent + line)];
}

/** Writes a label beside a text, or above it where the label is wider than its column. */
export function labelledOrBelow(label: string, text: string, width: number, columns: number): string[] {
  if (label.length <= width) return labelled(label, text, width, columns);
  return [...narrowed(`  ${label}`, columns), ...labelled("", text, width, columns)];
}

/** Indents all lines of a folded text. */
export function indented(text: string, by: number): string[] {
  return folded(text, WIDTH - by).map((line) => " ".repeat(by) + line);
}

/**
 * Folds a line of a table or a tree that has more than so many columns, below its own indent or branch. Law:
 * the words are the same, but for those cut that are longer than a line.
 */
export function narrowed(line: string, width: number): string[] {
  if ([...line].length <= width) return [line];
  const [own = ""] = /^[ │├└─]*/.exec(line) ?? [];
  const below = `${own.replace("├─", "│ ").replace("└─", "  ")}  `;
  const lines: string[] = [];
  let current = own;
  let isBegun = false;
  for (const [, gap = "", word = ""] of line.slice(own.length).matchAll(/( *)([^ ]+)/gu))
    for (const [place, piece] of pieces(word, width - below.length).entries()) {
      const next = `${current}${place === 0 && isBegun ? gap : ""}${piece}`;
      if (place === 0 && [...next].length <= width) current = next;
      else {
        if (isBegun) lines.push(current);
        current = `${isBegun ? below : own}${piece}`;
      }
      isBegun = true;
    }
  return [...lines, current];
}

/** Cuts a text to so many characters, of which the last is then `…`. */
export function cut(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join("")}…`;
}
