import { visibleJson } from "../spec/index.ts";
import type { Terminal } from "./terminal.ts";

/** What a command would still say, and write, if it had to end now: data alone, which pass from thread to thread. */
export interface LastWords {
  /** Of its results and of its notes. */
  readonly out: string;
  readonly note: string;
  readonly file?: { readonly path: string; readonly text: string };
}

/** What `tell` says, said to nobody yet; and the report beside it, where there is one to be written. */
export function lastWords(
  { palette }: Pick<Terminal, "palette">,
  tell: (terminal: Terminal) => void,
  report?: { readonly path: string; readonly document: unknown },
): LastWords {
  const said = { out: "", note: "" };
  const listener: Terminal = {
    palette,
    out: (line) => {
      said.out += `${line}\n`;
    },
    note: (line) => {
      said.note += `${line}\n`;
    },
    progress: () => {},
  };
  tell(listener);
  if (report === undefined) return said;
  return { ...said, file: { path: report.path, text: `${visibleJson(report.document)}\n` } };
}
