import { type Mutant, plant, withKernel } from "../mutant.ts";

export const fullInSingle: Mutant = plant(
  { name: "full_in_single", fault: "The number that full repeats is rounded to float32.", source: "A20" },
  withKernel("full", { literal: ({ value }) => Math.fround(value) }),
);
