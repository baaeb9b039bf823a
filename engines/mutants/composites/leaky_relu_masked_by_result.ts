import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const leakyReluMaskedByResult: Mutant = plant(
  {
    name: "leaky_relu_masked_by_result",
    fault:
      "leaky_relu takes the larger of x and slope · x, which is another function where the slope is over one.",
    source: "D31",
  },
  withExpansion("leaky_relu", (_scope, { slope }, x) => x.maximum(x.multiply(slope))),
);
