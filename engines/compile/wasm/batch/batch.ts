import type { Numbers, Order } from "../../plan/index.ts";
import { built } from "../build.ts";
import type { Extent } from "../startable.ts";
import { type Answer, isAnswer, numbersIn, type Work } from "./messages.ts";
import { startThread, type Thread } from "./threads.ts";

/** A batch is run with these options. */
export interface BatchOptions {
  /** The most items at a time. */
  readonly capacity: number;
  readonly threads: number;
  /** The numbers of the sources that all items share. */
  readonly common: readonly number[];
}

/**
 * One program for many inputs, in several threads. Items lie one after the other in shared memory, and are
 * written and read in place. An item's bits depend neither on its thread nor on other items.
 */
export interface Batch extends Disposable {
  /** Each source has `capacity` items, or one if all share it. */
  readonly inputs: readonly Numbers[];
  /** Each index source has one array, which all items share. */
  readonly indexInputs: readonly Uint32Array[];
  /** Each result has `capacity` items. */
  readonly results: readonly Numbers[];
  /** Computes the first `count` items, one call at a time. Rejects, for good, if a thread fails. */
  run(count: number): Promise<void>;
}

/** Compiles a program and starts its threads. A page must be cross-origin isolated, for shared memory. */
export function startBatch(order: Order, { capacity, threads, common }: BatchOptions): Batch {
  const program = built(order, {}, false);
  const { precision } = program;
  const bytes = precision === "float64" ? 8 : 4;
  const shared = (size: number): SharedArrayBuffer => new SharedArrayBuffer(size * bytes);
  const items = ({ size }: Extent, isCommon: boolean): SharedArrayBuffer =>
    shared(isCommon ? size : size * capacity);
  const work: Work = {
    kind: "work",
    program,
    sources: program.sources.map((source, position) => {
      const isCommon = common.includes(position);
      return { buffer: items(source, isCommon), isCommon };
    }),
    indices: program.indexSources.map(({ size }) => new SharedArrayBuffer(size * 4)),
    results: program.results.map((result) => items(result, false)),
    next: new SharedArrayBuffer(4),
  };
  const team = Array.from({ length: threads }, () => startThread(workerUrl()));
  const crew = new Crew(team, work);
  return {
    inputs: work.sources.map(({ buffer }) => numbersIn(buffer, precision)),
    indexInputs: work.indices.map((buffer) => new Uint32Array(buffer)),
    results: work.results.map((buffer) => numbersIn(buffer, precision)),
    run: (count) => {
      if (count > capacity) throw new RangeError(`${count} items are more than ${capacity}`);
      return crew.run(count);
    },
    [Symbol.dispose]: () => {
      for (const thread of team) thread.end();
    },
  };
}

/** Finds the module of a thread, which lies beside this one as a source or compiled. */
function workerUrl(): URL {
  return import.meta.url.endsWith(".ts")
    ? new URL("./worker.ts", import.meta.url)
    : new URL("./worker.js", import.meta.url);
}

/** The threads of a batch, and their current run. */
class Crew {
  readonly #team: readonly Thread[];
  readonly #next: Int32Array;
  #current: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  #failure: Error | undefined;
  #left = 0;

  constructor(team: readonly Thread[], work: Work) {
    this.#team = team;
    this.#next = new Int32Array(work.next);
    for (const thread of team) {
      thread.onMessage((message) => {
        if (isAnswer(message)) this.#take(message);
      });
      thread.onError((error) => this.#fail(error));
      thread.post(work);
    }
  }

  run(count: number): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#current !== undefined) return Promise.reject(new Error("the batch is running"));
    // Small blocks let threads end together; smaller ones would make them wait for the counter.
    const block = Math.max(1, Math.floor(count / (8 * this.#team.length)));
    Atomics.store(this.#next, 0, 0);
    this.#left = this.#team.length;
    return new Promise((resolve, reject) => {
      this.#current = { resolve, reject };
      for (const thread of this.#team) thread.post({ kind: "go", count, block });
    });
  }

  #take(answer: Answer): void {
    if (answer.kind === "failed") this.#fail(new Error(answer.message));
    else {
      this.#left -= 1;
      if (this.#left > 0) return;
      const current = this.#current;
      this.#current = undefined;
      current?.resolve();
    }
  }

  #fail(error: Error): void {
    this.#failure = error;
    this.#current?.reject(error);
    this.#current = undefined;
  }
}
