import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryForward } from "../rules.ts";

export const multiplyInSingle: Mutant = plant(
  { name: "multiply_in_single", fault: "Products are rounded to float32.", source: "A20" },
  withKernel("multiply", { forward: binaryForward((x, y) => Math.fround(x * y)) }),
);
