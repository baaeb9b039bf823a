import { sizeOf } from "../../../spec/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const meanByAllElements: Mutant = plant(
  {
    name: "mean_by_all_elements",
    fault: "mean divides by the number of all elements, not of those it sums.",
    source: "B08",
  },
  withExpansion("mean", (_scope, attributes, x) => x.sum(attributes).divide(sizeOf(x.shape))),
);
