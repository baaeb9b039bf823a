import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const cumulativeProdThroughLogarithms: Mutant = plant(
  {
    name: "cumulative_prod_through_logarithms",
    fault: "cumulative_prod is computed as the exponential of a cumulative sum of logarithms.",
    source: "C13",
  },
  withExpansion("cumulative_prod", (_scope, attributes, x) => x.log().cumulative_sum(attributes).exp()),
);
