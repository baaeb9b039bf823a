import {
  type Heard,
  type LoopProgram,
  type Passes,
  plan,
  rewrites,
  soundPasses,
  watched,
} from "../../engines/compile/plan/index.ts";
import type { BoundedSum } from "../../reference/numerics/index.ts";
import { knownOf, livesIn, loweredFor, moving, type SumsAsked } from "./graph_sums.ts";
import { distinct, sumsOf, unsaidBy } from "./sums.ts";

/** After each step from a graph to the loops that run, sums are collected anew. */
export interface PlanStep {
  /** This is `lowering`, or the name of a pass. */
  readonly name: string;
  /** These are its distinct sums. */
  readonly sums: readonly BoundedSum[];
  /** No earlier statement covers these sums. */
  readonly restated: readonly BoundedSum[];
  /** A pass that claims to keep sums owes these, which it made larger. */
  readonly owed: readonly BoundedSum[];
}

/**
 * Lists the sums after each step of the planner in order: the lowering, which keeps some composites whole,
 * and each pass that changes the program, for the usual plan and for that of least memory. Backends fold in
 * parts or tiles; the statement covers those partial sums. A pass may merge sums, split them, or add products
 * in place of numbers, if its rewrite says so ({@link rewrites}); then its sums are stated anew. If it claims
 * to keep sums, whatever exceeds all earlier statements is owed.
 */
export function planSums(
  asked: SumsAsked,
  stated: readonly BoundedSum[],
  passes: Passes = soundPasses,
): PlanStep[] {
  const { register } = asked;
  const { program } = loweredFor(asked, "fast");
  const steps: PlanStep[] = [];
  const said: BoundedSum[] = [...stated];
  const state = (name: string, after: LoopProgram, keeps: boolean): void => {
    const taken = sumsOf(after, knownOf(after, asked), register, livesIn(after, asked));
    const sums = distinct(asked.mode === "forward" ? moving(taken, register) : taken, register);
    const restated = unsaidBy(said, sums, register);
    steps.push({ name, sums, restated, owed: keeps ? restated : [] });
    said.push(...restated);
  };
  state("lowering", program, false);
  const heard: Heard = (name, before, after) => {
    if (after !== before) state(name, after, rewrites[name].sums === "kept");
  };
  const options = { regime: "fast", precision: "float64", passes: watched(passes, heard) } as const;
  plan(program, options);
  plan(program, { ...options, budgetBytes: 0 });
  return steps;
}
