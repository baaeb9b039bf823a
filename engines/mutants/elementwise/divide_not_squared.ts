import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryVjp } from "../rules.ts";

export const divideNotSquared: Mutant = plant(
  { name: "divide_not_squared", fault: "The divisor's cotangent is −c·x/y instead of −c·x/y².", source: "" },
  withKernel("divide", { vjp: binaryVjp((c, x, y) => [c / y, -(c * x) / y]) }),
);
