import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const prodThroughLogarithms: Mutant = plant(
  {
    name: "prod_through_logarithms",
    fault: "prod is computed as the exponential of a sum of logarithms.",
    source: "C11",
  },
  withExpansion("prod", (_scope, attributes, x) => x.log().sum(attributes).exp()),
);
