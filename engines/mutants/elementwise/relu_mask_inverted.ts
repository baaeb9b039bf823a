import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const reluMaskInverted: Mutant = plant(
  {
    name: "relu_mask_inverted",
    fault: "relu hands on its cotangent where its operand is not positive.",
    source: "",
  },
  withKernel("relu", { vjp: unaryVjp((c, x) => (0 < x ? 0 : c)) }),
);
