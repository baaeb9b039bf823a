import { commonSubexpressions } from "../../plan/rewrites/common_subexpressions.ts";
import { mergedBlindly } from "./merging.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";

export const differenceUnordered: PlanMutant = plantPlan(
  {
    name: "difference_unordered",
    fault: "The operands of a difference have no order, as those of a sum.",
    rewrite: "common_subexpressions",
  },
  {
    passes: {
      common_subexpressions(program) {
        const { program: sound, fired } = commonSubexpressions(program);
        return { program: mergedBlindly(sound, { unordered: "subtract" }), fired };
      },
    },
  },
);
