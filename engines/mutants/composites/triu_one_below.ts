import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";

const { triu } = soundParts.composites;

export const triuOneBelow: Mutant = plant(
  { name: "triu_one_below", fault: "triu keeps one more diagonal.", source: "C37" },
  withExpansion("triu", (scope, { offset }, x) => triu.expand(scope, { offset: offset - 1 }, x)),
);
