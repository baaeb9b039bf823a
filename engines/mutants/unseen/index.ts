import type { Mutant } from "../mutant.ts";
import { callMutants } from "./calls.ts";
import { compositeMutants } from "./composites.ts";
import { edgeMutants } from "./edges.ts";
import { moveMutants } from "./moves.ts";
import { smoothMutants } from "./smooth.ts";
import { slopeMutants, valueMutants } from "./values.ts";

/**
 * Mutants that neither the search nor the suite was built with: faults that engines were reported to have,
 * most since 2025, taken whether or not anything here finds them. Nothing is tuned to them, so that the share
 * that is killed says how good the search is at what it was not built for.
 */
export const unseenMutants: readonly Mutant[] = [
  ...valueMutants,
  ...slopeMutants,
  ...smoothMutants,
  ...moveMutants,
  ...edgeMutants,
  ...callMutants,
  ...compositeMutants,
];
