import { visibleJson } from "../spec/index.ts";
import type { LastWords, Terminal } from "./terminal.ts";

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
