import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const sigmoidSlopeIsValue: Mutant = plant(
  {
    name: "sigmoid_slope_is_value",
    fault: "The derivative of sigmoid is s instead of s · (1 − s), where s is its value.",
    source: "C30",
  },
  withExpansion("sigmoid", (scope, _attributes, x) =>
    scope.divide(1, x.negative().exp().stop_gradient().add(1)).multiply(x.subtract(x.stop_gradient()).add(1)),
  ),
);
