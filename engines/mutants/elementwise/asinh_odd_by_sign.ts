import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const asinhOddBySign: Mutant = plant(
  {
    name: "asinh_odd_by_sign",
    fault: "asinh is differentiated as sign(x) · f(|x|), so its derivative at 0 is 0.",
    source: "C25",
  },
  withKernel("asinh", { vjp: unaryVjp((c, x) => (c * Math.abs(Math.sign(x))) / Math.sqrt(x * x + 1)) }),
);
