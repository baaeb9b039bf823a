import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const log2SlopeNatural: Mutant = plant(
  {
    name: "log2_slope_natural",
    fault: "The derivative of log2 is 1/x, without the factor 1/ln 2.",
    source: "B08",
  },
  withKernel("log2", { vjp: unaryVjp((c, x) => c / x) }),
);
