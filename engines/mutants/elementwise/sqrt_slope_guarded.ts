import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const sqrtSlopeGuarded: Mutant = plant(
  {
    name: "sqrt_slope_guarded",
    fault: "The derivative of sqrt is 1/(2·√x + 2⁻³⁰), which has no pole where √ has one.",
    source: "C05",
  },
  withKernel("sqrt", { vjp: unaryVjp((c, _x, s) => c / (2 * s + 2 ** -30)) }),
);
