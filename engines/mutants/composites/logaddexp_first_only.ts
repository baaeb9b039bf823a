import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const logaddexpFirstOnly: Mutant = plant(
  {
    name: "logaddexp_first_only",
    fault: "Only the first operand of logaddexp receives a cotangent.",
    source: "B21",
  },
  withExpansion("logaddexp", (_scope, _attributes, x, y) => {
    const distance = x.subtract(y.stop_gradient());
    const above = x.add(distance.maximum(0).negative().exp().log1p());
    const below = y.stop_gradient().add(distance.minimum(0).exp().log1p());
    return distance.less(0).where(below, above);
  }),
);
