import type { Passes } from "./planned.ts";
import type { LoopProgram } from "./program.ts";
import type { RewriteName } from "./rewrite.ts";

/** Is told of every step of a plan: the pass, and the program before and after it. */
export type Heard = <N extends keyof Passes & RewriteName>(
  name: N,
  before: LoopProgram,
  after: LoopProgram,
) => void;

/** Wraps passes so that each reports the program before and after it. Law: plans are as without. */
export function watched(passes: Passes, heard: Heard): Passes {
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
