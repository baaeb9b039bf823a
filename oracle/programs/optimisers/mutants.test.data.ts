import { adamMutants } from "./adam.mutants.test.data.ts";
import type { OptimiserMutant } from "./edits.test.kit.ts";
import { ruleMutants } from "./rules.mutants.test.data.ts";
import { trainingMutants } from "./training.mutants.test.data.ts";

/** Every wrong optimiser. */
export const optimiserMutants: readonly OptimiserMutant[] = [
  ...adamMutants,
  ...ruleMutants,
  ...trainingMutants,
];
