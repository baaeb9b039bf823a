import { aliasMutants } from "./aliases.ts";
import { branchMutants } from "./branches.ts";
import { callMutants } from "./calls.ts";
import { constantMutants } from "./constants.ts";
import { customMutants } from "./custom.ts";
import { derivedCallMutants } from "./derived_calls.ts";
import { loopMutants } from "./loops.ts";
import { memoryMutants } from "./memories.ts";
import { placeMutants } from "./places.ts";
import type { ProgramMutant } from "./program_mutant.ts";
import { savedMutants } from "./saved.ts";
import { surroundingsMutants } from "./surroundings.ts";
import { tapeMutants } from "./tapes.ts";
import { viewMutants } from "./views.ts";

export { type ProgramMutant, programMutantTable } from "./program_mutant.ts";

/**
 * The interpreter with one fault each in how it runs programs: memory, saved operands, the sweep, views,
 * control flow, constants, derivatives that are said, and the surroundings. A judge of programs that lets one
 * pass is not a judge.
 */
export const programMutants: readonly ProgramMutant[] = [
  ...memoryMutants,
  ...savedMutants,
  ...tapeMutants,
  ...viewMutants,
  ...placeMutants,
  ...loopMutants,
  ...branchMutants,
  ...callMutants,
  ...constantMutants,
  ...customMutants,
  ...derivedCallMutants,
  ...surroundingsMutants,
  ...aliasMutants,
];
