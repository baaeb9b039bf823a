import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const tanhSlopeThroughCosh: Mutant = plant(
  {
    name: "tanh_slope_through_cosh",
    fault: "The derivative of tanh is 1/cosh²x, and cosh²x is rounded to float32, where it overflows.",
    source: "C29",
  },
  withKernel("tanh", { vjp: unaryVjp((c, x) => c / Math.fround(Math.cosh(x) ** 2)) }),
);
