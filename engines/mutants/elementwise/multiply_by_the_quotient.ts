import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryVjp } from "../rules.ts";

export const multiplyByTheQuotient: Mutant = plant(
  {
    name: "multiply_by_the_quotient",
    fault: "The reverse rule of multiply divides the product by the operand, and 0/0 is NaN.",
    source: "C11",
  },
  withKernel("multiply", { vjp: binaryVjp((c, x, y) => [(c * (x * y)) / x, (c * (x * y)) / y]) }),
);
