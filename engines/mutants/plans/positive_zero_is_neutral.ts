import { isLiteral } from "../../plan/rewrites/expressions.ts";
import { units } from "../../plan/rewrites/units.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";
import { withRule } from "./simplifying.ts";

export const positiveZeroIsNeutral: PlanMutant = plantPlan(
  {
    name: "positive_zero_is_neutral",
    fault: "The sum of a number and +0 is the number, also if that is −0.",
    rewrite: "units",
  },
  {
    passes: {
      units: withRule(units, ({ function: name, operands: [x, y] }) => {
        if (name !== "add") return undefined;
        return isLiteral(y, 0) ? x : isLiteral(x, 0) ? y : undefined;
      }),
    },
  },
  { profile: "bit_exact" },
);
