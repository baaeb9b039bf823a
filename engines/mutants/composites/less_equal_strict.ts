import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const lessEqualStrict: Mutant = plant(
  { name: "less_equal_strict", fault: "less_equal is 0 at a tie.", source: "C22" },
  withExpansion("less_equal", (_scope, _attributes, x, y) => x.less(y)),
);
