import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const coshSlopeSign: Mutant = plant(
  { name: "cosh_slope_sign", fault: "The derivative of cosh is −sinh, as if it were cos.", source: "" },
  withKernel("cosh", { vjp: unaryVjp((c, x) => -c * Math.sinh(x)) }),
);
