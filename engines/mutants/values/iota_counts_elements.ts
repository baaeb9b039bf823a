import { type Mutant, plant, withKernel } from "../mutant.ts";

export const iotaCountsElements: Mutant = plant(
  {
    name: "iota_counts_elements",
    fault: "iota counts the elements, not the places along its axis.",
    source: "B15",
  },
  withKernel("iota", {
    forward({ values }, { out, size }) {
      for (let i = 0; i < size; i++) values[out + i] = i;
    },
  }),
);
