import { alone, controlOf, lead, type Shared, type Stage } from "./stages.ts";

/** What threads are told: a program to share, or one that is no more. */
export interface Message {
  readonly number: number;
  readonly program?: Shared & { readonly control: Int32Array<SharedArrayBuffer> };
}

/** The words of the team: how many jobs there were, and the program of the last one. */
export const JOBS = 0;
export const PROGRAM = 16;

/** More threads than parts would have nothing to do. */
const MOST = 16;

/** Node's own modules, without an import that a browser could not resolve. */
const node = typeof process === "undefined" ? undefined : process.getBuiltinModule;

/**
 * Says whether a program may have helpers: in the first thread of Node.js, which may wait, and where there is
 * a second processor. The other threads of a process have others beside them already.
 */
export function canHaveTeam(): boolean {
  return node?.("node:worker_threads").isMainThread === true && helpers() > 0;
}

function helpers(): number {
  return Math.min(MOST, node?.("node:os").availableParallelism() ?? 1) - 1;
}

/**
 * The helpers of all programs of a process. They sleep between two programs, and no process waits for them
 * at its end. One that cannot start, or fails as it does, takes no part, and leaves all to the others.
 */
class Team {
  readonly #words = new Int32Array(new SharedArrayBuffer(128));
  readonly #helpers: { postMessage(message: Message): void }[] = [];
  readonly #dropped = new FinalizationRegistry((number: number) => this.#tell({ number }));
  #programs = 0;

  constructor({ Worker }: typeof import("node:worker_threads")) {
    try {
      for (let n = helpers(); n > 0; n--) {
        const helper = new Worker(workerUrl(), { workerData: this.#words, execArgv: [] });
        helper.on("error", () => {});
        helper.unref();
        this.#helpers.push(helper);
      }
    } catch {
      // Node.js refuses threads under --permission, unless --allow-worker is given.
    }
  }

  /** Tells the helpers of a program, and returns what computes it. */
  joined(program: Shared, stages: readonly Stage[]): () => void {
    const number = ++this.#programs;
    const control = controlOf();
    this.#tell({ number, program: { ...program, control } });
    this.#dropped.register(control, number);
    const call = (): void => {
      Atomics.store(this.#words, PROGRAM, number);
      Atomics.add(this.#words, JOBS, 1);
      Atomics.notify(this.#words, JOBS);
    };
    return () => lead(control, stages, call);
  }

  #tell(message: Message): void {
    for (const helper of this.#helpers) helper.postMessage(message);
  }
}

/** Finds the module of a helper, which lies beside this one as a source or compiled. */
function workerUrl(): URL {
  return import.meta.url.endsWith(".ts")
    ? new URL("./worker.ts", import.meta.url)
    : new URL("./worker.js", import.meta.url);
}

let team: Team | undefined;

/** Returns what computes a program: its first run by this thread, all others with the team. */
export function together(program: Shared, stages: readonly Stage[]): () => void {
  let run = (): void => {
    alone(stages);
    const threads = node?.("node:worker_threads");
    if (threads === undefined) return;
    team ??= new Team(threads);
    run = team.joined(program, stages);
  };
  return () => run();
}
