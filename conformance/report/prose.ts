/** A line of prose in a document has at most so many characters. */
const WIDTH = 100;

/**
 * Folds a paragraph into lines of at most 100 characters; `rest` precedes all but the first, as in an item of
 * a list. Neither a word is broken nor what stands between backticks.
 */
export function prose(paragraph: string, rest: string = ""): string[] {
  const lines: string[] = [];
  for (const word of paragraph.split(/ (?=(?:[^`]*`[^`]*`)*[^`]*$)/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= WIDTH)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(lines.length === 0 ? word : rest + word);
  }
  return lines;
}

/** Folds a document's paragraphs by {@link prose}, but no tables, headings, lists, code or comments. */
export function wrapped(document: string): string {
  const blocks = document.split("\n\n");
  return blocks
    .map((block) =>
      /^(?:[|#<]|- |```| {4})/m.test(block) ? block : prose(block.replaceAll("\n", " ")).join("\n"),
    )
    .join("\n\n");
}
