import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";

const { cross_entropy: crossEntropy } = soundParts.composites;

export const crossEntropySummed: Mutant = plant(
  {
    name: "cross_entropy_summed",
    fault: "cross_entropy is the sum over the rows, not the mean.",
    source: "D27",
  },
  withExpansion("cross_entropy", (scope, attributes, x) =>
    crossEntropy.expand(scope, attributes, x).multiply(x.shape[0] ?? 1),
  ),
);
