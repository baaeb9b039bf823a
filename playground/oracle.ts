import type { Question } from "./answer.ts";
import type { Said } from "./worker.ts";

/** An answer that takes longer is given up, in milliseconds. */
const PATIENCE = 10_000;

/** Asks a worker, so that the page never waits. Of questions that come meanwhile the last is asked next. */
export class Oracle {
  readonly #address: string;
  readonly #tell: (said: Said, milliseconds: number) => void;
  #worker: Worker;
  #isReady = false;
  #next: Question | undefined;
  #asked: { readonly at: number; readonly timer: ReturnType<typeof setTimeout> } | undefined;

  constructor(code: string, tell: (said: Said, milliseconds: number) => void) {
    this.#address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
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

  #started(): Worker {
    const worker = new Worker(this.#address);
    worker.addEventListener("message", ({ data }: MessageEvent<Said | "ready">) => {
      if (data === "ready") this.#isReady = true;
      else this.#answered(data);
      this.#send();
    });
    worker.addEventListener("error", ({ message }) => this.#answered({ failed: message }));
    return worker;
  }

  #send(): void {
    const question = this.#next;
    if (!this.#isReady || this.#asked !== undefined || question === undefined) return;
    this.#next = undefined;
    this.#asked = { at: performance.now(), timer: setTimeout(() => this.#givenUp(), PATIENCE) };
    this.#worker.postMessage(question);
  }

  #answered(said: Said): void {
    const at = this.#asked?.at ?? performance.now();
    clearTimeout(this.#asked?.timer);
    this.#asked = undefined;
    this.#tell(said, performance.now() - at);
  }

  #givenUp(): void {
    this.#worker.terminate();
    this.#isReady = false;
    this.#worker = this.#started();
    this.#answered({ failed: "this takes longer than ten seconds here; adjudge run FILE has no limit" });
  }
}
