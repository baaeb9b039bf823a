import {
  type LoopProgram,
  type Passes,
  plan,
  type RewriteName,
  rewrites,
  soundPasses,
} from "../../engines/compile/plan/index.ts";
import type { BoundedSum } from "../../reference/numerics/index.ts";
import { knownOf, livesIn, loweredFor, type SumsAsked } from "./graph_sums.ts";
import { distinct, sumsOf, unsaidBy } from "./sums.ts";

/** A step on the way from a graph to the loops that run, after which sums are collected anew. */
export interface PlanStep {
  /** `lowering`, or the name of a pass. */
  readonly name: string;
  /** Its distinct sums. */
  readonly sums: readonly BoundedSum[];
  /** Those that nothing before the step says enough of, */
  readonly restated: readonly BoundedSum[];
  /** and those of them that a pass owes: it claims to leave sums as they are. */
  readonly owed: readonly BoundedSum[];
}

/**
 * The sums after each step of the planner, in the order in which it takes them: the lowering, which computes some composites whole, and every time that a pass changes the program, for the
 * usual plan and for that of least memory. Backends add a fold in parts, or by tiles: those are partial sums, which the statement is of too.
 * A pass may merge sums, split them, or add products where it added numbers, if its rewrite says so ({@link rewrites}); what it makes is stated anew. Of a pass that
 * claims to keep sums, whatever is larger than all that was stated before is owed.
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
    const sums = distinct(sumsOf(after, knownOf(after, asked), register, livesIn(after, asked)), register);
    const restated = unsaidBy(said, sums, register);
    steps.push({ name, sums, restated, owed: keeps ? restated : [] });
    said.push(...restated);
  };
  state("lowering", program, false);
  const heard = <N extends keyof Passes & RewriteName>(name: N, before: LoopProgram, after: LoopProgram) => {
    if (after !== before) state(name, after, rewrites[name].sums === "kept");
  };
  const options = { regime: "fast", precision: "float64", passes: watched(passes, heard) } as const;
  plan(program, options);
  plan(program, { ...options, budgetBytes: 0 });
  return steps;
}

/** The passes, each of which is heard of with the program before and after it. */
function watched(
  passes: Passes,
  heard: (name: keyof Passes & RewriteName, before: LoopProgram, after: LoopProgram) => void,
): Passes {
  const names = [
    "dead_code",
    "units",
    "zeros",
    "view_composition",
    "common_subexpressions",
    "accumulation_in_place",
    "map_fusion",
    "fold_fusion",
  ] as const;
  const listening = names.map((name) => [
    name,
    (program: LoopProgram, isFrugal?: boolean) => {
      const step = passes[name](program, isFrugal);
      heard(name, program, step.program);
      return step;
    },
  ]);
  return {
    ...passes,
    ...Object.fromEntries(listening),
    checkpointing(program, options) {
      const cut = passes.checkpointing(program, options);
      heard("checkpointing", program, cut.program);
      return cut;
    },
  };
}
