import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const sqrtSlopeAtOperand: Mutant = plant(
  {
    name: "sqrt_slope_at_operand",
    fault: "The reverse rule of sqrt divides by twice its operand instead of twice its result.",
    source: "E01",
  },
  withKernel("sqrt", { vjp: unaryVjp((c, x) => c / (2 * x)) }),
);
