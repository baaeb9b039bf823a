import type { Mutant } from "../mutant.ts";
import { callMutants } from "./calls.ts";
import { compositeMutants } from "./composites.ts";
import { edgeMutants } from "./edges.ts";
import { moveMutants } from "./moves.ts";
import { smoothMutants } from "./smooth.ts";
import { slopeMutants, valueMutants } from "./values.ts";

/**
 * Mutants beside those that the search and the suite were built with: faults that engines were reported to have, most since
 * 2025, taken as they came and whether or not anything here finds them. Nothing is tuned by them, so that what is killed of
 * them says how good the search is at what it was not built for.
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
