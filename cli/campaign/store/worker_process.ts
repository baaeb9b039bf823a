import { fork } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { NamedEngines } from "../../../conformance/testees/index.ts";
import { tieToOurLife } from "../../../spec/lifeline.ts";
import type { Said, Told } from "./worker.ts";

/** A worker in a process of its own. */
export interface WorkerProcess {
  tell(told: Told): void;
  /** Ends it, and the engine that it asks. */
  end(): void;
}

/** Starts a worker, which says something, and is gone at last. */
export type StartWorker = (listener: { hear(said: Said): void; gone(why: string): void }) => WorkerProcess;

/** So much of what a worker says on its standard error is told when it ends. */
const LAST_WORDS = 2000;

const kinds: ReadonlySet<unknown> = new Set<Said["kind"]>([
  "described",
  "absent",
  "broken",
  "alive",
  "answered",
]);

/**
 * Tells whether a message is a worker's; what it says of an engine's answers is checked where it is
 * counted.
 */
function isSaid(message: unknown): message is Said {
  return typeof message === "object" && message !== null && "kind" in message && kinds.has(message.kind);
}

/** Starts workers as processes, which end with this one. */
export function forkedWorkers(named: NamedEngines | undefined): StartWorker {
  const end = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const script = fileURLToPath(new URL(`./worker.${end}`, import.meta.url));
  // What this process has compiled needs not be compiled by each worker.
  const cache = getCompileCacheDir();
  const env = cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: cache };
  return ({ hear, gone }) => {
    const child = fork(script, { detached: true, stdio: ["ignore", "ignore", "pipe", "ipc"], env });
    const untie = tieToOurLife(child.pid);
    let words = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      words = `${words}${chunk.toString()}`.slice(-LAST_WORDS);
    });
    child.on("message", (message) => {
      if (isSaid(message)) hear(message);
    });
    const over = (why: string): void => {
      untie();
      gone(words === "" ? why : `${why}: ${words.trim()}`);
    };
    child.on("error", (thrown) => over(thrown.message));
    child.on("close", (code, signal) => over(`the worker ended with ${signal ?? code}`));
    const tell = (told: Told): void => {
      // A worker that has just ended hears nothing, and is known to be gone soon.
      if (child.connected) child.send(told, () => {});
    };
    if (named !== undefined) tell({ kind: "engines", folder: named.folder, commands: [...named.commands] });
    return { tell, end: () => void child.kill("SIGKILL") };
  };
}
