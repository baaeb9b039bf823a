import type { Answer } from "../obligation.ts";
import type { Script } from "../script.ts";

/** What a solver may spend on one script. */
export interface Limits {
  /** Steps of the solver: the real budget, the same on every machine. */
  readonly rlimit: number;
  /** Milliseconds: for what does not count its steps. */
  readonly timeout: number;
}

/** One question: what to ask, what it may cost, and where the solver's own randomness starts. */
export interface Query {
  readonly script: Script;
  readonly limits: Limits;
  readonly seed: number;
}

/** An answer and what it cost. */
export interface Reply {
  readonly answer: Answer;
  readonly milliseconds: number;
  /** Steps spent; `undefined` where the solver died or does not count. */
  readonly spent: number | undefined;
}

/** One script that was asked, and what came back. */
export interface Asked {
  readonly script: Script;
  readonly reply: Reply;
}

/**
 * Something that answers scripts. `ask` never rejects and always settles: a solver that dies or does not answer costs one answer, `crashed` or `timeout`, not the run.
 * Nobody trusts what it says: `prove` checks it against vacuity, cores and mutants.
 */
export interface Solver extends AsyncDisposable {
  /** Name and version, for example `z3-solver 5.2.0`. */
  readonly name: string;
  ask(query: Query): Promise<Reply>;
}
