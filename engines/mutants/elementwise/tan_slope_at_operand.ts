import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const tanSlopeAtOperand: Mutant = plant(
  {
    name: "tan_slope_at_operand",
    fault: "The derivative of tan is 1 + x² instead of 1 + tan²x.",
    source: "E01",
  },
  withKernel("tan", { vjp: unaryVjp((c, x) => c * (1 + x * x)) }),
);
