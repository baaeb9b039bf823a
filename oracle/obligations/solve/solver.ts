import type { Answer } from "../obligation.ts";
import type { Script } from "../script.ts";

/** A solver may spend this on one script. */
export interface Limits {
  /** Steps are the real budget, the same on every machine. */
  readonly rlimit: number;
  /** Milliseconds limit what does not count its steps. */
  readonly timeout: number;
}

/** A query has a script, limits, and a seed for the solver's own randomness. */
export interface Query {
  readonly script: Script;
  readonly limits: Limits;
  readonly seed: number;
}

/** This is an answer and what it cost. */
export interface Reply {
  readonly answer: Answer;
  readonly milliseconds: number;
  /** These steps were spent; `undefined` where the solver died or does not count. */
  readonly spent: number | undefined;
}

/** One script was asked, and this came back. */
export interface Asked {
  readonly script: Script;
  readonly reply: Reply;
}

/**
 * A solver answers scripts. `ask` never rejects and always settles: if the solver dies or does not answer,
 * that costs one answer, `crashed` or `timeout`, not the run. Nobody trusts it: `prove` checks vacuity, cores
 * and mutants.
 */
export interface Solver extends AsyncDisposable {
  /** This is name and version, for example `z3-solver 5.2.0`. */
  readonly name: string;
  ask(query: Query): Promise<Reply>;
}
