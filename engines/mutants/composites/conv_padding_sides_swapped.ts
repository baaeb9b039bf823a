import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";

const { conv } = soundParts.composites;

export const convPaddingSidesSwapped: Mutant = plant(
  {
    name: "conv_padding_sides_swapped",
    fault: "conv puts its padding on the other side of each axis.",
    source: "D25",
  },
  withExpansion("conv", (scope, attributes, x, w) =>
    conv.expand(
      scope,
      { ...attributes, padding: attributes.padding.map(([low, high]) => [high, low] as const) },
      x,
      w,
    ),
  ),
);
