import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { createColors } from "picocolors";
import { lastWord, type Said, type Started } from "../terminal/interrupts.ts";
import type { Interruptible, LastWords, Terminal } from "../terminal/terminal.ts";

/** Composing the last words may take one part in so many of the time. */
const SHARE = 100;

const { argv, lastWord: cell, hasColour, columns, isWatched }: Started = workerData;

function tell(said: Said): void {
  parentPort?.postMessage(said);
}

/** Sends the last words from time to time, and when the main thread asks for them. */
function atInterrupt(words: () => LastWords): Interruptible {
  const send = (): void => tell({ kind: "words", words: words() });
  parentPort?.on("message", send);
  // Each listener that is added makes the port keep the thread alive.
  parentPort?.unref();
  let next = Number.NEGATIVE_INFINITY;
  return {
    news: () => {
      const begin = performance.now();
      if (begin < next) return;
      send();
      const end = performance.now();
      next = end + SHARE * (end - begin);
    },
    over: () => {
      const before = Atomics.compareExchange(cell, 0, lastWord.open, lastWord.over);
      // A signal came first, so the main thread ends the process.
      if (before === lastWord.interrupted) Atomics.wait(cell, 0, lastWord.interrupted);
      parentPort?.off("message", send);
    },
  };
}

const terminal: Terminal = {
  palette: createColors(hasColour),
  columns,
  out: (text) => tell({ kind: "out", text }),
  note: (text) => tell({ kind: "note", text }),
  progress: (text) => {
    if (isWatched) tell({ kind: "progress", text });
  },
  atInterrupt,
};

enableCompileCache();
const { main } = await import("./main.ts");
tell({ kind: "ended", code: await main(argv, terminal) });
