import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const logSlopeGuarded: Mutant = plant(
  {
    name: "log_slope_guarded",
    fault: "The derivative of log is 1/(x + 2⁻³⁰): a guard against zero that was left in.",
    source: "C11",
  },
  withKernel("log", { vjp: unaryVjp((c, x) => c / (x + 2 ** -30)) }),
);
