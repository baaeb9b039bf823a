import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const atanSlopeAtResult: Mutant = plant(
  {
    name: "atan_slope_at_result",
    fault: "The derivative of atan is taken at its result instead of at its operand.",
    source: "E01",
  },
  withKernel("atan", { vjp: unaryVjp((c, _x, value) => c / (1 + value * value)) }),
);
