import process from "node:process";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { Interruptible, LastWords } from "./terminal.ts";

/** The data that the thread which hears SIGINT starts with. */
export interface Listening {
  readonly cells: Int32Array<SharedArrayBuffer>;
  readonly words: MessagePort;
  /** Is true if a line of progress may stand on the standard error. */
  readonly isWatched: boolean;
}

/** Indexes of the shared cells: a counter of news, and who has the last word. */
export const cell = { news: 0, lastWord: 1 } as const;

/** They say who has the last word: nobody yet, the thread as SIGINT came, or the command as it is over. */
export const lastWord = { open: 0, interrupted: 1, over: 2 } as const;

/** Composing the last words may take one part in so many of the time. */
const SHARE = 100;

/**
 * Has a small thread print the last words when SIGINT comes, and end the process, even amid a case.
 * A listener in the main thread runs between turns of the event loop only, and a case is one turn. The words
 * are those of that moment if the command gets its turn in time, else its latest. Until the thread listens,
 * SIGINT has its default action. Cost: one part in {@link SHARE} of the time.
 */
export function tellOnInterrupt(words: () => LastWords): Interruptible {
  const cells = new Int32Array(new SharedArrayBuffer(8));
  const { port1: to, port2: from } = new MessageChannel();
  to.unref();
  const listening: Listening = { cells, words: from, isWatched: process.stderr.isTTY === true };
  const worker = startThread(listening);
  const send = (): void => {
    to.postMessage(words());
    wake(cells);
  };
  // The thread asks for the latest words.
  worker.on("message", send);
  // The thread must not keep the process alive. Each listener that is added would make it do so again.
  worker.unref();
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
      const before = Atomics.compareExchange(cells, cell.lastWord, lastWord.open, lastWord.over);
      // SIGINT came first, so the thread ends the process.
      if (before === lastWord.interrupted) Atomics.wait(cells, cell.lastWord, lastWord.interrupted);
      wake(cells);
    },
  };
}

function startThread(listening: Listening): Worker {
  const end = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const url = new URL(`./interrupt_thread.${end}`, import.meta.url);
  const worker = new Worker(url, { workerData: listening, transferList: [listening.words] });
  // If the thread fails, SIGINT has its default action.
  worker.on("error", () => {});
  return worker;
}

function wake(cells: Int32Array<SharedArrayBuffer>): void {
  Atomics.add(cells, cell.news, 1);
  Atomics.notify(cells, cell.news);
}
