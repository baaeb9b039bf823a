import { parentPort } from "node:worker_threads";
import { init, type Z3_context } from "z3-solver";
import type { Printed } from "./reading.ts";

/** The thread gets commands up to `(check-sat)`, what to ask after `sat`, and limits. */
export interface Order {
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

/** Answers each script in its own context and resets options, since scripts set them for the process. */
function answer({ question, expected, onSat, rlimit, seed }: Order): Word {
  Z3.global_param_reset_all();
  Z3.global_param_set("rlimit", String(rlimit));
  for (const parameter of ["smt.random_seed", "sat.random_seed", "nlsat.seed"])
    Z3.global_param_set(parameter, String(seed));
  const config = Z3.mk_config();
  const context = Z3.mk_context(config);
  Z3.del_config(config);
  try {
    const following: Readonly<Record<string, string>> = { unsat: "(get-unsat-core)", sat: onSat };
    const count = "(get-info :rlimit)";
    const [verdict = "", likely = "", counted = ""] = evaluateEach(context, [
      question,
      following[expected] ?? "",
      count,
    ]);
    const said = verdict.trim();
    const isAsExpected = said === expected;
    const follows = isAsExpected ? "" : (following[said] ?? "");
    const evidence = follows === "" ? (isAsExpected ? likely : "") : evaluate(context, follows);
    const reason = said === "unknown" ? evaluate(context, "(get-info :reason-unknown)") : "";
    const spent = /\(:rlimit (\d+)\)/.exec(isAsExpected ? counted : evaluate(context, count))?.[1];
    const printed = { verdict, evidence, reason };
    return { kind: "printed", printed, spent: spent === undefined ? undefined : Number(spent) };
  } finally {
    Z3.del_context(context);
  }
}

function say(word: Word): void {
  parentPort?.postMessage(word);
}

parentPort?.on("message", (order: Order) => {
  try {
    say(answer(order));
  } catch (thrown) {
    say({ kind: "threw", message: String(thrown) });
  }
});
say({ kind: "ready" });
