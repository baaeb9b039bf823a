import { createColors } from "picocolors";

/** Where a command writes. Results go to `out`, everything else to `note`; progress only to a person. */
export interface Terminal {
  readonly palette: ReturnType<typeof createColors>;
  out(line: string): void;
  note(line: string): void;
  /** Shows how far a long run is, on one line that the next one replaces; silent where nobody watches. */
  progress(text: string): void;
  /** What is still to be said if SIGINT ends the process before the command has. Not on a terminal that no signal reaches. */
  atInterrupt?(words: () => LastWords): Interruptible;
}

/** What a command would still say, and write, if it had to end now: data alone, which pass from thread to thread. */
export interface LastWords {
  /** Of its results and of its notes. */
  readonly out: string;
  readonly note: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** A run that tells on SIGINT what it knows. */
export interface Interruptible {
  /** Something is known that was not. */
  news(): void;
  /** From here on the command tells by itself; SIGINT ends it as it would have. */
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
  write(text: string): unknown;
}

/**
 * The terminal of a process. Colours appear on a terminal, unless `NO_COLOR` is set (https://no-color.org) or
 * `FORCE_COLOR` asks for them elsewhere.
 */
export function processTerminal({ env, stdout, stderr }: Surroundings): Terminal {
  const isWatched = stderr.isTTY === true;
  const clear = (): void => {
    if (isWatched) stderr.write("\r\u001b[K");
  };
  return {
    palette: createColors(wantsColour(env, stdout.isTTY === true)),
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
      if (isWatched) stderr.write(text);
    },
  };
}

function wantsColour({ NO_COLOR = "", FORCE_COLOR = "" }: Surroundings["env"], isTerminal: boolean): boolean {
  if (NO_COLOR !== "" || FORCE_COLOR === "0") return false;
  return isTerminal || FORCE_COLOR !== "";
}
