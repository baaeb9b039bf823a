import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";
import { sloped } from "./sloped.ts";

const { dropout } = soundParts.composites;

export const dropoutMaskForgotten: Mutant = plant(
  {
    name: "dropout_mask_forgotten",
    fault: "dropout applies its mask to the value and not to the cotangent.",
    source: "D15",
  },
  withExpansion("dropout", (scope, attributes, x) =>
    sloped(dropout.expand(scope, attributes, x), x.divide(Math.max(1 - attributes.rate, 2 ** -10))),
  ),
);
