import { type LaidOut, type LayoutOptions, layOut } from "../../plan/memory/layout.ts";
import type { LoopProgram } from "../../plan/program.ts";
import { loops, type PlanMutant, plantPlan } from "./plan_mutant.ts";

/** The layout with that fault. */
export function layOutWithoutResults(program: LoopProgram, options: LayoutOptions): LaidOut {
  return layOut({ ...program, results: [] }, options);
}

export const resultsNotKept: PlanMutant = plantPlan(
  {
    name: "results_not_kept",
    fault: "The place of a result is given away after the last instruction that reads it.",
    rewrite: "buffer_reuse",
  },
  { passes: { layOut: layOutWithoutResults } },
  { backend: loops },
);
