import { arityOf } from "../../plan/scalar/index.ts";
import { type PlanMutant, plantScalarPlan } from "./plan_mutant.ts";

export const levelOfFirstOperand: PlanMutant = plantScalarPlan(
  {
    name: "level_of_first_operand",
    fault: "The level of a node is one more than that of its first operand, whatever that of the others.",
    rewrite: "level_order",
  },
  {
    levelsOf({ inputs, codes, x }) {
      const of = new Int32Array(codes.length);
      let top = 0;
      for (let id = inputs; id < codes.length; id++) {
        if ((arityOf[codes[id] ?? 0] ?? 0) === 0) continue;
        of[id] = (of[x[id] ?? 0] ?? 0) + 1;
        top = Math.max(top, of[id] ?? 0);
      }
      return { of, count: top + 1 };
    },
  },
);
