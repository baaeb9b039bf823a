import type { LastWords, Terminal } from "./terminal.ts";

/** Collects what `tell` says, which is said to nobody yet, and the files beside it that are to be written. */
export function lastWords(
  { palette, columns }: Pick<Terminal, "palette" | "columns">,
  tell: (terminal: Terminal) => void,
  files: LastWords["files"],
): LastWords {
  const said = { out: "", note: "" };
  const listener: Terminal = {
    palette,
    columns,
    out: (line) => {
      said.out += `${line}\n`;
    },
    note: (line) => {
      said.note += `${line}\n`;
    },
    progress: () => {},
  };
  tell(listener);
  return { ...said, files };
}
