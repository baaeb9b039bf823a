import type { TapeCase } from "../../spec/tapes/index.ts";
import { tapeCaseText } from "../../spec/text/writer.ts";

/** Shows a tape case in the lines of its text, with a comment above the `wrong` step. */
export function showTapeCase(question: TapeCase, wrong?: number): string[] {
  const { graphs, steps } = question;
  const lines = tapeCaseText({ graphs, steps }).trimEnd().split("\n");
  const starts = lines.flatMap((line, row) => (/^ {2}(record|sweep|release) /.test(line) ? [row] : []));
  const row = wrong === undefined ? undefined : starts[wrong];
  return row === undefined ? lines : lines.toSpliced(row, 0, `  # step ${wrong} goes wrong:`);
}
