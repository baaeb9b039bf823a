import { answerMutants } from "./answers.ts";
import { hookMutants } from "./hooks.ts";
import { refusalMutants } from "./refusals.ts";
import { remembranceMutants } from "./remembrance.ts";
import type { TapeEngineMutant } from "./tape_mutant.ts";

export type { TapeEngineMutant } from "./tape_mutant.ts";

/**
 * The interpreter with one fault each in the rules of its tapes: what a sweep leaves, what is refused, what
 * is remembered, how hooks are called. Each first sweep of a tape is right. A judge must let none pass.
 */
export const tapeEngineMutants: readonly TapeEngineMutant[] = [
  ...answerMutants,
  ...refusalMutants,
  ...remembranceMutants,
  ...hookMutants,
];
