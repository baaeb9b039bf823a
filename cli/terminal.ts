import process from "node:process";
import { createColors } from "picocolors";
import type { Palette } from "../conformance/index.ts";

/** Where a command writes. Results go to `out`, everything else to `note`; progress only to a person. */
export interface Terminal {
  readonly palette: Palette;
  out(line: string): void;
  note(line: string): void;
  /** Shows how far a long run is, on one line that the next one replaces; silent where nobody watches. */
  progress(text: string): void;
}

/**
 * The terminal of this process. Colours appear on a terminal, unless `NO_COLOR` is set (https://no-color.org) or
 * `FORCE_COLOR` asks for them elsewhere.
 */
export function processTerminal(): Terminal {
  const isWatched = process.stderr.isTTY === true;
  const clear = (): void => {
    if (isWatched) process.stderr.write("\r\u001b[K");
  };
  return {
    palette: createColors(wantsColour()),
    out: (line) => {
      clear();
      process.stdout.write(`${line}\n`);
    },
    note: (line) => {
      clear();
      process.stderr.write(`${line}\n`);
    },
    progress: (text) => {
      clear();
      if (isWatched) process.stderr.write(text);
    },
  };
}

function wantsColour(): boolean {
  if ((process.env.NO_COLOR ?? "") !== "") return false;
  return process.stdout.isTTY === true || (process.env.FORCE_COLOR ?? "") !== "";
}
