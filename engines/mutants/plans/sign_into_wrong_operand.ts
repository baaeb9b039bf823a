import { apply, type Expression } from "../../plan/expression.ts";
import { units } from "../../plan/rewrites/units.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";
import { withRule } from "./simplifying.ts";

function negatedBy(part: Expression | undefined): Expression | undefined {
  return part?.kind === "apply" && part.function === "negative" ? part.operands[0] : undefined;
}

export const signIntoWrongOperand: PlanMutant = plantPlan(
  {
    name: "sign_into_wrong_operand",
    fault: "The sum of a negative and a number is the difference of the two the wrong way round.",
    rewrite: "units",
  },
  {
    passes: {
      units: withRule(units, ({ function: name, operands: [x, y] }) => {
        const minuend = negatedBy(x);
        if (name !== "add" || minuend === undefined || y === undefined) return undefined;
        return negatedBy(y) === undefined ? apply("subtract", minuend, y) : undefined;
      }),
    },
  },
);
