import { writeSync } from "node:fs";
import process from "node:process";
import { runInNewContext } from "node:vm";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { cell, type Listening, lastWord } from "./interrupts.ts";
import type { LastWords } from "./terminal.ts";

const { cells, words, isWatched }: Listening = workerData;
let latest: LastWords | undefined;

/** The command has so many milliseconds to send its latest words, if it comes to its event loop. */
const TURN = 300;

function takeIn(): void {
  for (let next = receiveMessageOnPort(words); next !== undefined; next = receiveMessageOnPort(words))
    latest = next.message;
}

/** Receives words and sleeps until the command is over. SIGINT may end it at any point. */
function listen(): void {
  for (;;) {
    const seen = Atomics.load(cells, cell.news);
    takeIn();
    if (Atomics.load(cells, cell.lastWord) === lastWord.over) return;
    Atomics.wait(cells, cell.news, seen);
  }
}

/** Says whether SIGINT ended `work`. Only a `breakOnSigint` script is ended by it in any thread. */
function isInterrupted(work: () => void): boolean {
  try {
    runInNewContext("work()", { work }, { breakOnSigint: true });
    return false;
  } catch (thrown) {
    // The error belongs to the script's own context, whose `Error` is not ours.
    const isOfSignal = typeof thrown === "object" && thrown !== null && "code" in thrown;
    if (isOfSignal && thrown.code === "ERR_SCRIPT_EXECUTION_INTERRUPTED") return true;
    throw thrown;
  }
}

/** Writes at once: this thread's streams pass through the main thread, which may be busy. */
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

async function say({ out, note, files }: LastWords): Promise<void> {
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

if (isInterrupted(listen)) {
  const seen = Atomics.load(cells, cell.news);
  parentPort?.postMessage("interrupted");
  Atomics.wait(cells, cell.news, seen, TURN);
  const before = Atomics.compareExchange(cells, cell.lastWord, lastWord.open, lastWord.interrupted);
  takeIn();
  if (before === lastWord.open && latest !== undefined) await say(latest);
  // SIGINT now ends the process as it would have without us.
  process.kill(process.pid, "SIGINT");
}
