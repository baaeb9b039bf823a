import { parentPort } from "node:worker_threads";
import { init, type Z3_context } from "z3-solver";
import type { Printed } from "./reading.ts";

/** The thread gets commands, what to ask after `sat`, and limits. */
export interface Order {
  /** Orders of the same group may share a context; those of none have their own. */
  readonly group: string;
  /** These set options and the logic. */
  readonly preamble: string;
  /** What follows them, up to `(check-sat)`. */
  readonly question: string;
  /** This answer is likely. */
  readonly expected: "sat" | "unsat";
  /** This command follows `sat`; empty for none. */
  readonly onSat: string;
  readonly rlimit: number;
  readonly seed: number;
}

/** The thread says that Z3 is ready, or what it printed. */
export type Word =
  | { readonly kind: "ready" }
  | { readonly kind: "printed"; readonly printed: Printed; readonly spent: number | undefined }
  | { readonly kind: "threw"; readonly message: string };

const { Z3, em } = await init();

/**
 * Runs commands in `context` and returns what they print. Z3 runs in this thread, not in another one that it
 * is handed to, and without a clock of its own: both cost more than a small question does. Whoever owns this
 * thread ends it when its time is over.
 */
function evaluate(context: Z3_context, commands: string): string {
  const bytes = new TextEncoder().encode(`${commands}\0`);
  const pointer = em._malloc(bytes.length);
  em.HEAPU8.set(bytes, pointer);
  try {
    return String(em.UTF8ToString(em._Z3_eval_smtlib2_string(context, pointer)));
  } finally {
    em._free(pointer);
  }
}

/** Stands between what Z3 prints to one command and to the next. */
const MARK = "; adjudge: next";

/** Evaluates several commands at once; returns what each of them prints. */
function evaluateEach(context: Z3_context, commands: readonly string[]): readonly string[] {
  return evaluate(context, commands.join(`\n(echo "${MARK}")\n`)).split(`${MARK}\n`);
}

/** Makes a context that nothing was said in, of a seed; options that scripts set are the process's. */
function freshContext(rlimit: number, seed: number): Z3_context {
  Z3.global_param_reset_all();
  Z3.global_param_set("rlimit", String(rlimit));
  for (const parameter of ["smt.random_seed", "sat.random_seed", "nlsat.seed"])
    Z3.global_param_set(parameter, String(seed));
  const config = Z3.mk_config();
  const context = Z3.mk_context(config);
  Z3.del_config(config);
  return context;
}

const COUNT = "(get-info :rlimit)";

/** Reads how many steps a context has spent. */
function stepsIn(counted: string): number | undefined {
  const steps = /\(:rlimit (\d+)\)/.exec(counted)?.[1];
  return steps === undefined ? undefined : Number(steps);
}

/** Answers a script in its own context. */
function answerAlone({ preamble, question, expected, onSat, rlimit, seed }: Order): Word {
  const context = freshContext(rlimit, seed);
  try {
    const following: Readonly<Record<string, string>> = { unsat: "(get-unsat-core)", sat: onSat };
    const [verdict = "", likely = "", counted = ""] = evaluateEach(context, [
      `${preamble}${question}`,
      following[expected] ?? "",
      COUNT,
    ]);
    const said = verdict.trim();
    const isAsExpected = said === expected;
    const follows = isAsExpected ? "" : (following[said] ?? "");
    const evidence = follows === "" ? (isAsExpected ? likely : "") : evaluate(context, follows);
    const reason = said === "unknown" ? evaluate(context, "(get-info :reason-unknown)") : "";
    const spent = stepsIn(isAsExpected ? counted : evaluate(context, COUNT));
    return { kind: "printed", printed: { verdict, evidence, reason }, spent };
  } finally {
    Z3.del_context(context);
  }
}

/** A question may spend so many steps in the context that it shares; most spend fewer. */
const SHARED_STEPS = 1_500;

/**
 * Questions of one group, logic and seed share a context, in scopes of their own, until one of them is not
 * answered there: what follows it is seldom easier.
 */
class Shared {
  #key = "";
  #context: Z3_context | undefined;

  /**
   * Answers a script in its group's context, which takes a tenth of the time of a new one. Law: only what is
   * expected is an answer; `undefined` stands for the rest, and for what spends more than a few steps.
   */
  answer({ group, preamble, question, expected, onSat, rlimit, seed }: Order): Word | undefined {
    if (group === "") return undefined;
    const context = this.#of(JSON.stringify([group, preamble, seed]), preamble, seed);
    if (context === undefined) return undefined;
    const [before = "", verdict = "", evidence = "", after = ""] = evaluateEach(context, [
      `(push)(set-option :rlimit ${Math.min(rlimit, SHARED_STEPS)})${COUNT}`,
      question,
      expected === "unsat" ? "(get-unsat-core)" : onSat,
      `${COUNT}(pop)`,
    ]);
    const [start, end] = [stepsIn(before), stepsIn(after)];
    if (
      verdict.trim() === expected &&
      !evidence.includes("(error") &&
      start !== undefined &&
      end !== undefined
    )
      return { kind: "printed", printed: { verdict, evidence, reason: "" }, spent: end - start };
    this.#end();
    return undefined;
  }

  #of(key: string, preamble: string, seed: number): Z3_context | undefined {
    if (this.#key === key) return this.#context;
    this.#end();
    this.#key = key;
    this.#context = freshContext(SHARED_STEPS, seed);
    // A logic that Z3 does not know spoils every question of the group, each in its own context.
    if (evaluate(this.#context, preamble) !== "") this.#end();
    return this.#context;
  }

  #end(): void {
    if (this.#context !== undefined) Z3.del_context(this.#context);
    this.#context = undefined;
  }
}

const shared = new Shared();

function say(word: Word): void {
  parentPort?.postMessage(word);
}

parentPort?.on("message", (order: Order) => {
  try {
    say(shared.answer(order) ?? answerAlone(order));
  } catch (thrown) {
    say({ kind: "threw", message: String(thrown) });
  }
});
say({ kind: "ready" });
