import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const remainderDivisorDropped: Mutant = plant(
  {
    name: "remainder_divisor_dropped",
    fault: "The divisor of remainder receives no cotangent.",
    source: "A18",
  },
  withExpansion("remainder", (_scope, _attributes, x, y) =>
    x.subtract(x.divide(y).floor().multiply(y.stop_gradient())),
  ),
);
