import { commonSubexpressions } from "../../plan/rewrites/common_subexpressions.ts";
import { mergedBlindly } from "./merging.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";

export const signsOfZerosMerged: PlanMutant = plantPlan(
  {
    name: "signs_of_zeros_merged",
    fault: "Two literals are one if they are equal numbers, as +0 and −0 are.",
    rewrite: "common_subexpressions",
  },
  {
    passes: {
      common_subexpressions(program) {
        const { program: sound, fired } = commonSubexpressions(program);
        return { program: mergedBlindly(sound, { number: (_, value) => value + 0 }), fired };
      },
    },
  },
  { profile: "bit_exact" },
);
