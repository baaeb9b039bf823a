import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const softplusThreshold: Mutant = plant(
  { name: "softplus_threshold", fault: "softplus is x from 4 on.", source: "C31" },
  withExpansion("softplus", (scope, _attributes, x) => scope.less(4, x).where(x, x.exp().log1p())),
);
