import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const roundHalfUp: Mutant = plant(
  {
    name: "round_half_up",
    fault: "round takes the larger of two nearest integers, not the even one.",
    source: "",
  },
  withExpansion("round", (_scope, _attributes, x) => x.add(0.5).floor()),
);
