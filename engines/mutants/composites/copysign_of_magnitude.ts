import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const copysignOfMagnitude: Mutant = plant(
  {
    name: "copysign_of_magnitude",
    fault: "The derivative of copysign is the sign of y, without the sign of x.",
    source: "C27",
  },
  withExpansion("copysign", (scope, _attributes, x, y) => {
    const isNegative = y.less(0).logical_or(scope.divide(1, y.stop_gradient()).less(0));
    const size = x.abs().stop_gradient().add(x.subtract(x.stop_gradient()));
    return isNegative.where(size.negative(), size);
  }),
);
