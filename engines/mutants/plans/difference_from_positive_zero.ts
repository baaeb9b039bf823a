import { apply } from "../../plan/expression.ts";
import { isLiteral } from "../../plan/rewrites/expressions.ts";
import { units } from "../../plan/rewrites/units.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";
import { withRule } from "./simplifying.ts";

export const differenceFromPositiveZero: PlanMutant = plantPlan(
  {
    name: "difference_from_positive_zero",
    fault: "The difference of +0 and a number is the negative of the number, also if that is +0.",
    rewrite: "units",
  },
  {
    passes: {
      units: withRule(units, ({ function: name, operands: [x, y] }) =>
        name === "subtract" && isLiteral(x, 0) && y !== undefined ? apply("negative", y) : undefined,
      ),
    },
  },
  { profile: "bit_exact" },
);
