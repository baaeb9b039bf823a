import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const tanhSlopeFitted: Mutant = plant(
  {
    name: "tanh_slope_fitted",
    fault: "The derivative of tanh is a polynomial fitted near zero: 1 − x² + ⅔·x⁴.",
    source: "D30",
  },
  withKernel("tanh", {
    vjp: unaryVjp((c, x) => c * (Math.abs(x) < 0.5 ? 1 - x ** 2 + (2 / 3) * x ** 4 : 1 - Math.tanh(x) ** 2)),
  }),
);
