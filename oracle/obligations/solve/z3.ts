import { createRequire } from "node:module";
import { inspect } from "node:util";
import { Worker } from "node:worker_threads";
import type { Answer } from "../obligation.ts";
import { type Script, valuesCommand } from "../script.ts";
import { readAnswer } from "./reading.ts";
import type { Limits, Query, Reply, Solver } from "./solver.ts";
import type { Order, Word } from "./worker.ts";

/** Z3 may take so long to start, on machines much slower than ours. */
const STARTING = 120_000;

/** Tests make a {@link threadSolver} with other threads, which misbehave. */
export interface ThreadOptions {
  readonly name: string;
  /** A thread runs this module: it posts {@link Word}s and receives {@link Order}s. */
  readonly thread: URL;
}

/** Starts Z3 from npm, in a thread of its own. */
export function z3(): Solver {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return threadSolver({
    name: z3Name(),
    thread: new URL(`./worker.${extension}`, import.meta.url),
  });
}

/** Names package and version, without starting it. */
function z3Name(): string {
  const json: unknown = createRequire(import.meta.url)("z3-solver/package.json");
  const isVersioned = typeof json === "object" && json !== null && "version" in json;
  return `z3-solver ${isVersioned ? String(json.version) : "of unknown version"}`;
}

/**
 * Makes a solver in a thread under a watchdog: a thread that is silent for its time limit, or dies, costs one
 * answer and is replaced. It starts with the first question. Questions asked at once are
 * answered one after the other.
 */
export function threadSolver({ name, thread }: ThreadOptions): Solver {
  const session = new Session(thread);
  let last: Promise<unknown> = Promise.resolve();
  return {
    name,
    ask: (query) => {
      const reply = last.then(() => session.ask(query));
      last = reply;
      return reply;
    },
    [Symbol.asyncDispose]: async () => {
      await last;
      await session.end();
    },
  };
}

/** This came of waiting for a word of the thread. */
type Heard = Word | { readonly kind: "silent" } | { readonly kind: "died"; readonly message: string };

/** A session owns the thread: at most one, started when it is needed. */
class Session {
  readonly #thread: URL;
  #worker: Worker | undefined;

  constructor(thread: URL) {
    this.#thread = thread;
  }

  async ask({ script, limits, seed }: Query): Promise<Reply> {
    const worker = await this.#started();
    if (!(worker instanceof Worker)) return { answer: worker, milliseconds: 0, spent: undefined };
    const start = performance.now();
    const heard = hear(worker, limits.timeout);
    worker.postMessage(orderOf(script, limits, seed));
    const word = await heard;
    const milliseconds = performance.now() - start;
    if (word.kind !== "printed") await this.end();
    return {
      answer: answerOf(word, script, limits),
      milliseconds,
      spent: word.kind === "printed" ? word.spent : undefined,
    };
  }

  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  /** Returns the thread when it is ready, or the answer that stands in for it. */
  async #started(): Promise<Worker | Answer> {
    if (this.#worker !== undefined) return this.#worker;
    // Z3 prints a page before it dies of lack of memory; its answer has what matters.
    const worker = new Worker(this.#thread, { stdout: true, stderr: true });
    worker.stdout.resume();
    worker.stderr.resume();
    // `hear` reports the thread's death; without a listener here an error would end the process.
    worker.on("error", () => {});
    const word = await hear(worker, STARTING);
    if (word.kind !== "ready") {
      await worker.terminate();
      const why = "message" in word ? word.message : `it said ${word.kind}`;
      return { kind: "crashed", message: `the solver did not start: ${why}` };
    }
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    this.#worker = worker;
    return worker;
  }
}

/** Waits for the thread's next word, its death, or its silence. */
function hear(worker: Worker, milliseconds: number): Promise<Heard> {
  return new Promise((resolve) => {
    const settle = (heard: Heard): void => {
      clearTimeout(timer);
      worker.off("message", onMessage);
      worker.off("error", onError);
      worker.off("exit", onExit);
      resolve(heard);
    };
    const onMessage = (said: unknown): void =>
      settle(isWord(said) ? said : { kind: "died", message: `the thread said ${inspect(said)}` });
    const onError = (thrown: unknown): void => settle({ kind: "died", message: String(thrown) });
    const onExit = (code: number): void => settle({ kind: "died", message: `the thread ended with ${code}` });
    const timer = setTimeout(() => settle({ kind: "silent" }), milliseconds);
    worker.on("message", onMessage);
    worker.on("error", onError);
    worker.on("exit", onExit);
  });
}

/** Tells whether a thread said something that has the form of a word. */
function isWord(said: unknown): said is Word {
  if (!isRecord(said)) return false;
  const { kind, message, printed, spent } = said;
  if (kind === "ready") return true;
  if (kind === "threw") return typeof message === "string";
  const texts = isRecord(printed) ? [printed.verdict, printed.evidence, printed.reason] : [undefined];
  const isCounted = spent === undefined || typeof spent === "number";
  return kind === "printed" && isCounted && texts.every((text) => typeof text === "string");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function orderOf(
  { group, preamble, question, expected, wanted }: Script,
  { rlimit }: Limits,
  seed: number,
): Order {
  const onSat =
    wanted.kind === "values" ? valuesCommand(wanted.terms) : wanted.kind === "model" ? "(get-model)" : "";
  return { group, preamble, question, expected, onSat, rlimit, seed };
}

function answerOf(word: Heard, script: Script, limits: Limits): Answer {
  switch (word.kind) {
    case "silent":
      return { kind: "timeout" };
    case "died":
    case "threw":
      return { kind: "crashed", message: word.message };
    case "ready":
      return { kind: "crashed", message: "the thread started again" };
    case "printed": {
      const answer = readAnswer(script, word.printed);
      return answer.kind === "unknown" ? unknownOf(answer.reason, word.spent, limits) : answer;
    }
  }
}

/** Z3 calls the end of its budget `canceled`; the steps spent say that it was. */
function unknownOf(reason: string, spent: number | undefined, { rlimit }: Limits): Answer {
  return spent !== undefined && spent >= rlimit ? { kind: "resource" } : { kind: "unknown", reason };
}
