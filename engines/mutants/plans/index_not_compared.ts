import { commonSubexpressions } from "../../plan/rewrites/common_subexpressions.ts";
import { mergedBlindly } from "./merging.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";

export const indexNotCompared: PlanMutant = plantPlan(
  {
    name: "index_not_compared",
    fault: "Two lookups are one if they differ only in which indices they look up.",
    rewrite: "common_subexpressions",
  },
  {
    passes: {
      common_subexpressions(program) {
        const { program: sound, fired } = commonSubexpressions(program);
        return {
          program: mergedBlindly(sound, { number: (name, value) => (name === "index" ? 0 : value) }),
          fired,
        };
      },
    },
  },
);
