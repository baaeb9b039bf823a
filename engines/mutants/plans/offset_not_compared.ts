import { commonSubexpressions } from "../../plan/rewrites/common_subexpressions.ts";
import { mergedBlindly } from "./merging.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";

export const offsetNotCompared: PlanMutant = plantPlan(
  {
    name: "offset_not_compared",
    fault: "Two loops are one if they differ only in where they begin to read.",
    rewrite: "common_subexpressions",
  },
  {
    passes: {
      common_subexpressions(program) {
        const { program: sound, fired } = commonSubexpressions(program);
        return {
          program: mergedBlindly(sound, { number: (name, value) => (name === "offset" ? 0 : value) }),
          fired,
        };
      },
    },
  },
);
