/** How wide a line is. */
export const WIDTH = 80;

/** A text in lines of at most so many characters; words that are longer are cut, behind a `·` if they have one. */
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

/** A label, and behind it a text that goes on under itself. */
export function labelled(label: string, text: string, width: number): string[] {
  const [first = "", ...others] = folded(text, WIDTH - width - 4);
  const indent = " ".repeat(width + 4);
  return [`  ${label.padEnd(width)}  ${first}`, ...others.map((line) => indent + line)];
}

/** A text that goes on indented. */
export function indented(text: string, by: number): string[] {
  return folded(text, WIDTH - by).map((line) => " ".repeat(by) + line);
}
