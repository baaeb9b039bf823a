import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const asinSlopeNotSquared: Mutant = plant(
  {
    name: "asin_slope_not_squared",
    fault: "The derivative of asin is 1/√(1 − x) instead of 1/√(1 − x²).",
    source: "",
  },
  withKernel("asin", { vjp: unaryVjp((c, x) => c / Math.sqrt(1 - x)) }),
);
