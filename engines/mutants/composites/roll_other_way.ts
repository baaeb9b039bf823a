import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";

const { roll } = soundParts.composites;

export const rollOtherWay: Mutant = plant(
  { name: "roll_other_way", fault: "roll shifts the elements in the other direction.", source: "D09" },
  withExpansion("roll", (scope, { shift, axis }, x) => roll.expand(scope, { shift: -shift, axis }, x)),
);
