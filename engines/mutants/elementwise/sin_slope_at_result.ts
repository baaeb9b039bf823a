import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const sinSlopeAtResult: Mutant = plant(
  {
    name: "sin_slope_at_result",
    fault: "The derivative of sin is taken at its value: cos(sin x) instead of cos x.",
    source: "",
  },
  withKernel("sin", { vjp: unaryVjp((c, _x, value) => c * Math.cos(value)) }),
);
