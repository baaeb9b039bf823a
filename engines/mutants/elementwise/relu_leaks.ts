import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const reluLeaks: Mutant = plant(
  {
    name: "relu_leaks",
    fault: "relu hands on a hundredth of the cotangent where its operand is negative.",
    source: "D31",
  },
  withKernel("relu", { vjp: unaryVjp((c, x) => (0 < x ? c : x < 0 ? 0.01 * c : 0)) }),
);
