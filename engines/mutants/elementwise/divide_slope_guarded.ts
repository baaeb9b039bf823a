import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryVjp } from "../rules.ts";

export const divideSlopeGuarded: Mutant = plant(
  {
    name: "divide_slope_guarded",
    fault: "The reverse rule of divide adds 2⁻³⁰ to the divisor, so as not to divide by zero.",
    source: "C02",
  },
  withKernel("divide", {
    vjp: binaryVjp((c, x, y) => [c / (y + 2 ** -30), -(c * (x / y)) / (y + 2 ** -30)]),
  }),
);
