import { answerMutants } from "./answers.ts";
import { hookMutants } from "./hooks.ts";
import { refusalMutants } from "./refusals.ts";
import { remembranceMutants } from "./remembrance.ts";
import type { TapeEngineMutant } from "./tape_mutant.ts";

export type { TapeEngineMutant } from "./tape_mutant.ts";

/**
 * The interpreter with one fault each in the manners of its tapes: what one sweep leaves to the next, what is refused, what a tape remembers of the point, and how
 * hooks are called. Each of its sweeps alone, of a fresh tape, is right. A judge of tapes that lets one pass is not a judge.
 */
export const tapeEngineMutants: readonly TapeEngineMutant[] = [
  ...answerMutants,
  ...refusalMutants,
  ...remembranceMutants,
  ...hookMutants,
];
