import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const clipClosedAtBounds: Mutant = plant(
  {
    name: "clip_closed_at_bounds",
    fault: "At its bounds clip hands the cotangent to the bound.",
    source: "C23",
  },
  withExpansion("clip", (_scope, _attributes, x, low, high) =>
    high.negative().maximum(low.maximum(x).negative()).negative(),
  ),
);
