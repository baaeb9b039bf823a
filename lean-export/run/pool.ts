import { lanes } from "./lanes.ts";
import { LeanSession, type Reply, type Request, type SessionOptions } from "./session.ts";

/**
 * A session may import so many sets of modules before another replaces it. What is imported stays in a
 * session's memory, of which the WebAssembly build has two gigabytes: Init once, the library's modules,
 * twenty megabytes in all, for each request that imports others than the one before.
 */
const importsInSession = 60;

/** Sessions that share the requests; each is begun when it is needed, and again when one has ended. */
export class LeanPool implements AsyncDisposable {
  readonly #options: SessionOptions;
  readonly #enter: ReturnType<typeof lanes>;
  readonly #idle: Lane[] = [];

  /** `count` sessions at the same time. More than two need much memory: a gigabyte each. */
  constructor(options: SessionOptions, count: 1 | 2) {
    this.#options = options;
    this.#enter = lanes(count);
  }

  /** Answers in the order in which sessions become free. `use` alone has the reply and what was compiled. */
  ask<T>(request: Request, use: (reply: Reply) => Promise<T>): Promise<T> {
    return this.#enter(async () => {
      const lane = await this.#take(request);
      const reply = await lane.session.ask(request);
      const result = await use(reply);
      if (reply.answer.kind === "stopped") await lane.session[Symbol.asyncDispose]();
      else this.#idle.push(lane);
      return result;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#idle.map(({ session }) => session[Symbol.asyncDispose]()));
  }

  /** Takes a session that has this request's imports already, or room for them, or a new one. */
  async #take({ imports, module }: Request): Promise<Lane> {
    const key = `${module} ${imports}`;
    const index = this.#idle.findIndex(({ last }) => last === key);
    const [held] = this.#idle.splice(Math.max(index, 0), 1);
    if (held === undefined)
      return { session: await LeanSession.start(this.#options), last: key, imported: 1 };
    if (held.last === key) return held;
    if (held.imported < importsInSession) return { ...held, last: key, imported: held.imported + 1 };
    await held.session[Symbol.asyncDispose]();
    return { session: await LeanSession.start(this.#options), last: key, imported: 1 };
  }
}

interface Lane {
  readonly session: LeanSession;
  readonly last: string;
  readonly imported: number;
}
