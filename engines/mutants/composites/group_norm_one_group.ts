import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";

const { group_norm: groupNorm } = soundParts.composites;

export const groupNormOneGroup: Mutant = plant(
  { name: "group_norm_one_group", fault: "group_norm normalises over all channels together.", source: "D04" },
  withExpansion("group_norm", (scope, { epsilon }, x, scale, offset) =>
    groupNorm.expand(scope, { groups: 1, epsilon }, x, scale, offset),
  ),
);
