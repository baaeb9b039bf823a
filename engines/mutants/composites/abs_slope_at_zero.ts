import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const absSlopeAtZero: Mutant = plant(
  { name: "abs_slope_at_zero", fault: "The derivative of abs at 0 is 1.", source: "C24" },
  withExpansion("abs", (_scope, _attributes, x) => x.less(0).where(x.negative(), x)),
);
