import type { Question } from "./answer.ts";
import type { Said } from "./worker.ts";

/** An answer that takes longer is given up, in milliseconds. */
const PATIENCE = 10_000;

/** A worker that was started. */
export interface Port {
  post(question: Question): void;
  end(): void;
}

/** Starts a worker, which says `ready` first, and then an answer to each question. */
export type Start = (hear: (said: Said | "ready") => void) => Port;

/** Asks a worker, so that the page never waits. Of questions that come meanwhile the last is asked next. */
export class Oracle {
  readonly #start: Start;
  readonly #tell: (said: Said, milliseconds: number) => void;
  #worker: Port;
  #isReady = false;
  #next: Question | undefined;
  #asked: { readonly at: number; readonly timer: ReturnType<typeof setTimeout> } | undefined;

  constructor(start: Start, tell: (said: Said, milliseconds: number) => void) {
    this.#start = start;
    this.#tell = tell;
    this.#worker = this.#started();
  }

  ask(question: Question): void {
    this.#next = question;
    this.#send();
  }

  /** Tells whether a question waits for its answer. */
  get isAsked(): boolean {
    return this.#asked !== undefined || this.#next !== undefined;
  }

  #started(): Port {
    return this.#start((said) => {
      if (said === "ready") this.#isReady = true;
      else this.#answered(said);
      this.#send();
    });
  }

  #send(): void {
    const question = this.#next;
    if (!this.#isReady || this.#asked !== undefined || question === undefined) return;
    this.#next = undefined;
    this.#asked = { at: performance.now(), timer: setTimeout(() => this.#givenUp(), PATIENCE) };
    this.#worker.post(question);
  }

  #answered(said: Said): void {
    const at = this.#asked?.at ?? performance.now();
    clearTimeout(this.#asked?.timer);
    this.#asked = undefined;
    this.#tell(said, performance.now() - at);
  }

  #givenUp(): void {
    this.#worker.end();
    this.#isReady = false;
    this.#worker = this.#started();
    this.#answered({ failed: "this takes longer than ten seconds here; adjudge run FILE has no limit" });
  }
}
