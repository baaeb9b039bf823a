import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const eluWithoutAlpha: Mutant = plant(
  { name: "elu_without_alpha", fault: "elu is differentiated as if alpha were 1.", source: "D31" },
  withExpansion("elu", (scope, { alpha }, x) => {
    const left = x.minimum(0).expm1();
    const scaled = left.multiply(alpha).subtract(left).stop_gradient().add(left);
    return scope.less(0, x).where(x, scaled);
  }),
);
