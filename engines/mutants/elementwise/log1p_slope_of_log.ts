import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const log1pSlopeOfLog: Mutant = plant(
  { name: "log1p_slope_of_log", fault: "The derivative of log1p is 1/x instead of 1/(1 + x).", source: "" },
  withKernel("log1p", { vjp: unaryVjp((c, x) => c / x) }),
);
