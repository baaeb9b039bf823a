import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryForward } from "../rules.ts";

export const divideByReciprocal: Mutant = plant(
  {
    name: "divide_by_reciprocal",
    fault: "A quotient is the product with a rounded reciprocal.",
    source: "C31",
  },
  withKernel("divide", { forward: binaryForward((x, y) => x * (1 / y)) }),
);
