import { layOut } from "../../plan/memory/layout.ts";
import { loops, type PlanMutant, plantPlan } from "./plan_mutant.ts";

export const resultsNotKept: PlanMutant = plantPlan(
  {
    name: "results_not_kept",
    fault: "The place of a result is given away after the last instruction that reads it.",
    rewrite: "buffer_reuse",
  },
  { passes: { layOut: (program, options) => layOut({ ...program, results: [] }, options) } },
  { backend: loops },
);
