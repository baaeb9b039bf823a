import { writeSync } from "node:fs";
import process from "node:process";
import { Worker } from "node:worker_threads";
import type { ExitCode } from "./exit.ts";
import type { LastWords, Terminal } from "./terminal.ts";

/** The data that the thread of a command starts with. */
export interface Started {
  readonly argv: readonly string[];
  readonly lastWord: Int32Array<SharedArrayBuffer>;
  readonly hasColour: boolean;
  readonly columns: number;
  /** Is true if a line of progress may stand on the standard error. */
  readonly isWatched: boolean;
}

/** The thread of a command says this to the main thread. */
export type Said =
  | { readonly kind: "out" | "note" | "progress"; readonly text: string }
  | { readonly kind: "words"; readonly words: LastWords }
  | { readonly kind: "ended"; readonly code: ExitCode };

/** They say who has the last word: nobody yet, the main thread as a signal came, or the command. */
export const lastWord = { open: 0, interrupted: 1, over: 2 } as const;

/** The command has so many milliseconds to send its latest words, if it comes to its event loop. */
const TURN = 300;

const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs a command in a thread of its own, so that the main thread hears SIGINT and SIGTERM even amid a case:
 * listeners run between turns of the event loop only, and a case is one turn. On a signal the last words of
 * the command are said, and the signal ends the process. Returns the exit code; rejects with what the thread
 * could not catch.
 */
export function inThread(thread: URL, argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const isWatched = process.stderr.isTTY === true;
  const started: Started = {
    argv,
    lastWord: cell,
    hasColour: terminal.palette.isColorSupported,
    columns: terminal.columns,
    isWatched,
  };
  const readsInput = argv.includes("-");
  const worker = new Worker(thread, { workerData: started, stdin: readsInput });
  if (readsInput && worker.stdin !== null) process.stdin.pipe(worker.stdin);
  let latest: LastWords | undefined;
  let hear: () => void = () => {};
  const interrupted = async (signal: NodeJS.Signals): Promise<void> => {
    const before = Atomics.compareExchange(cell, 0, lastWord.open, lastWord.interrupted);
    if (before === lastWord.interrupted) return;
    if (before === lastWord.open && latest !== undefined) {
      worker.postMessage("now");
      await new Promise<void>((resolve) => {
        hear = resolve;
        setTimeout(resolve, TURN);
      });
      await say(latest, isWatched);
    }
    for (const one of signals) process.removeAllListeners(one);
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, interrupted);
  return new Promise((resolve, reject) => {
    worker.on("message", (said: Said) => {
      switch (said.kind) {
        case "words":
          latest = said.words;
          return hear();
        case "ended":
          for (const signal of signals) process.off(signal, interrupted);
          return resolve(said.code);
        default:
          // Nothing is printed behind the last words.
          if (Atomics.load(cell, 0) !== lastWord.interrupted) terminal[said.kind](said.text);
      }
    });
    worker.on("error", reject);
    // An end that the command has told before is not heard any more.
    worker.on("exit", (code) => reject(new Error(`the command's thread ended with ${code}`)));
  });
}

async function say({ out, note, files }: LastWords, isWatched: boolean): Promise<void> {
  if (isWatched) writeNow(2, "\r\u001b[K");
  writeNow(1, out);
  writeNow(2, note);
  if (files.length === 0) return;
  // The module is loaded only now, because most runs are never interrupted.
  const { writeWholeNow } = await import("../files/whole_file.ts");
  for (const { path, text } of files) {
    try {
      writeWholeNow(path, text);
    } catch (thrown) {
      writeNow(2, `${path} was not written: ${thrown instanceof Error ? thrown.message : thrown}\n`);
    }
  }
}

/** Writes at once, since the process ends before its streams would be read. */
function writeNow(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; ) {
    try {
      start += writeSync(descriptor, bytes, start);
    } catch (thrown) {
      // The pipe is full, so the write is tried again.
      if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EAGAIN")) return;
    }
  }
}
