import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryVjp } from "../rules.ts";

export const multiplyByOwnOperand: Mutant = plant(
  {
    name: "multiply_by_own_operand",
    fault: "Each operand of a product receives the cotangent times itself instead of times the other.",
    source: "",
  },
  withKernel("multiply", { vjp: binaryVjp((c, x, y) => [c * x, c * y]) }),
);
