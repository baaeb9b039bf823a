import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const klDivOfZero: Mutant = plant(
  {
    name: "kl_div_of_zero",
    fault: "kl_div multiplies a target of zero by its logarithm, and 0 · ∞ is NaN.",
    source: "C17",
  },
  withExpansion("kl_div", (_scope, _attributes, x, y) =>
    y.multiply(y.log().subtract(x)).mean({ axes: x.shape.map((_, axis) => axis), keepdims: false }),
  ),
);
