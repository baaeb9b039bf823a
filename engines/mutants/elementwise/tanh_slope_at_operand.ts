import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const tanhSlopeAtOperand: Mutant = plant(
  {
    name: "tanh_slope_at_operand",
    fault: "The reverse rule of tanh computes 1 − x² with its operand in the place of its result.",
    source: "E01",
  },
  withKernel("tanh", { vjp: unaryVjp((c, x) => c * (1 - x * x)) }),
);
