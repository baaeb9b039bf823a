import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const erfSlopeUnscaled: Mutant = plant(
  {
    name: "erf_slope_unscaled",
    fault: "The derivative of erf is exp(−x²), without the factor 2/√π.",
    source: "D30",
  },
  withKernel("erf", { vjp: unaryVjp((c, x) => c * Math.exp(-x * x)) }),
);
