import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryVjp } from "../rules.ts";

export const maximumMasksByProduct: Mutant = plant(
  {
    name: "maximum_masks_by_product",
    fault: "maximum multiplies the cotangent by masks of ones and zeros, and 0 · ∞ is NaN.",
    source: "C20",
  },
  withKernel("maximum", { vjp: binaryVjp((c, x, y) => [c * (x < y ? 0 : 1), c * (x < y ? 1 : 0)]) }),
);
