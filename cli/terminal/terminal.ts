import { createColors } from "picocolors";

/** A command writes here. Results go to `out`, everything else to `note`; progress only to a person. */
export interface Terminal {
  readonly palette: ReturnType<typeof createColors>;
  /** Results are folded to so many columns. */
  readonly columns: number;
  out(line: string): void;
  note(line: string): void;
  /**
   * Shows how far a long run is, on one line that the next one replaces, cut to the columns there are; silent
   * where nobody watches.
   */
  progress(text: string): void;
  /** Takes the words to say if a signal ends the process early; absent where no signal is heard. */
  atInterrupt?(words: () => LastWords): Interruptible;
}

/** A command would still print and write this if it ended now. It is data that can pass between threads. */
export interface LastWords {
  /** These texts go to standard output and to standard error. */
  readonly out: string;
  readonly note: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** A run that tells what it knows when a signal comes. */
export interface Interruptible {
  /** Says that something new is known. */
  news(): void;
  /** Says that the command now tells everything itself, so that a signal just ends it. */
  over(): void;
}

/** The parts of `node:process` that a terminal is made of. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Stream;
  readonly stderr: Stream;
}

interface Stream {
  readonly isTTY?: boolean;
  /** A terminal has so many columns now. */
  readonly columns?: number;
  write(text: string): unknown;
}

/** What is no terminal, or does not say how wide it is, has the usual columns. */
const USUAL_COLUMNS = 80;

/** Fewer columns leave no room for words. */
const FEWEST_COLUMNS = 40;

/**
 * Returns the terminal of a process. Colours appear on a terminal, unless `NO_COLOR` is set
 * (https://no-color.org) or `FORCE_COLOR` asks for them elsewhere.
 */
export function processTerminal({ env, stdout, stderr }: Surroundings): Terminal {
  const isWatched = stderr.isTTY === true;
  const clear = (): void => {
    if (isWatched) stderr.write("\r\u001b[K");
  };
  return {
    palette: createColors(wantsColour(env, stdout.isTTY === true)),
    columns: Math.max(FEWEST_COLUMNS, stdout.columns || USUAL_COLUMNS),
    out: (line) => {
      clear();
      stdout.write(`${line}\n`);
    },
    note: (line) => {
      clear();
      stderr.write(`${line}\n`);
    },
    progress: (text) => {
      clear();
      // The last column stays free, because some terminals go to the next line behind it.
      if (isWatched) stderr.write(cut(text, (stderr.columns || USUAL_COLUMNS) - 1));
    },
  };
}

/** These characters take two columns. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;

/** Cuts a text to one line of so many columns. */
function cut(text: string, columns: number): string {
  const line = text.replaceAll(/\p{Cc}+/gu, " ");
  let taken = 0;
  let fits = "";
  for (const character of line) {
    const width = wide.test(character) ? 2 : 1;
    // A column is kept for the sign that says that more would follow.
    if (taken + width < columns) fits += character;
    taken += width;
    if (taken > columns) return `${fits}…`;
  }
  return line;
}

function wantsColour({ NO_COLOR = "", FORCE_COLOR = "" }: Surroundings["env"], isTerminal: boolean): boolean {
  if (NO_COLOR !== "" || FORCE_COLOR === "0") return false;
  return isTerminal || FORCE_COLOR !== "";
}
