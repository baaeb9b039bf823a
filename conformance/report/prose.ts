/** The most characters of a line of prose in a document. */
const WIDTH = 100;

/**
 * A paragraph in lines of at most a hundred characters; `rest` stands before every line but the first, as in the item of a list. What stands
 * between backticks is not broken, nor is a word.
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

/** A document whose paragraphs are {@link prose}; tables, headings, lists, code and comments stay as they are. */
export function wrapped(document: string): string {
  const blocks = document.split("\n\n");
  return blocks
    .map((block) =>
      /^(?:[|#<]|- |```| {4})/m.test(block) ? block : prose(block.replaceAll("\n", " ")).join("\n"),
    )
    .join("\n\n");
}
