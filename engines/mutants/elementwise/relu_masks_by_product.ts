import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const reluMasksByProduct: Mutant = plant(
  {
    name: "relu_masks_by_product",
    fault: "relu multiplies the cotangent by a mask of ones and zeros, and 0 · ∞ is NaN.",
    source: "C33",
  },
  withKernel("relu", { vjp: unaryVjp((c, x) => c * (0 < x ? 1 : 0)) }),
);
