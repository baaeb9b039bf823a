import { isLiteral } from "../../plan/rewrites/expressions.ts";
import { units } from "../../plan/rewrites/units.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";
import { withRule } from "./simplifying.ts";

export const minusOneIsUnit: PlanMutant = plantPlan(
  {
    name: "minus_one_is_unit",
    fault: "The product of a number and −1 is the number.",
    rewrite: "units",
  },
  {
    passes: {
      units: withRule(units, ({ function: name, operands: [x, y] }) => {
        if (name !== "multiply") return undefined;
        return isLiteral(y, -1) ? x : isLiteral(x, -1) ? y : undefined;
      }),
    },
  },
);
