import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const dropoutNotRescaled: Mutant = plant(
  {
    name: "dropout_not_rescaled",
    fault: "dropout does not divide what it keeps by the share it keeps.",
    source: "D15",
  },
  withExpansion("dropout", (scope, { key, rate }, x) =>
    scope.bernoulli_mask({ shape: x.shape, key, rate }).where(x, 0),
  ),
);
