import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryForward } from "../rules.ts";

export const divideGuarded: Mutant = plant(
  {
    name: "divide_guarded",
    fault: "divide adds 2⁻⁴⁰ to the divisor, so as not to divide by zero.",
    source: "C02",
  },
  withKernel("divide", { forward: binaryForward((x, y) => x / (y + 2 ** -40)) }),
);
