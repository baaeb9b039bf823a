import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const minimumTieToSecond: Mutant = plant(
  {
    name: "minimum_tie_to_second",
    fault: "At a tie the second operand of minimum receives the cotangent.",
    source: "C19",
  },
  withExpansion("minimum", (_scope, _attributes, x, y) => y.negative().maximum(x.negative()).negative()),
);
