import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const expSlopeAtOperand: Mutant = plant(
  {
    name: "exp_slope_at_operand",
    fault: "The reverse rule of exp multiplies by its operand, the value it saved, instead of by its result.",
    source: "E01",
  },
  withKernel("exp", { vjp: unaryVjp((c, x) => c * x) }),
);
