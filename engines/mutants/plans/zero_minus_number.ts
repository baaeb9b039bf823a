import { isZero } from "../../plan/rewrites/expressions.ts";
import { zeros } from "../../plan/rewrites/zeros.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";
import { withRule } from "./simplifying.ts";

export const zeroMinusNumber: PlanMutant = plantPlan(
  {
    name: "zero_minus_number",
    fault: "The difference of 0 and a number is the number, as the sum is.",
    rewrite: "zeros",
  },
  {
    passes: {
      zeros: withRule(zeros, ({ function: name, operands: [x, y] }) =>
        name === "subtract" && isZero(x) ? y : undefined,
      ),
    },
  },
);
