import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryVjp } from "../rules.ts";

export const multiplyZeroProduct: Mutant = plant(
  {
    name: "multiply_zero_product",
    fault: "The reverse rule of multiply divides the product by the operand, and takes 0 where that is zero.",
    source: "C12",
  },
  withKernel("multiply", {
    vjp: binaryVjp((c, x, y) => [x === 0 ? 0 : (c * (x * y)) / x, y === 0 ? 0 : (c * (x * y)) / y]),
  }),
);
