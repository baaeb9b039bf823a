/** What obligations plant of the planner's mutants: the wrong parts themselves, without an engine around them. */
export { withoutLastRound } from "./arithmetic.ts";
export {
  checkpointedWithoutBases,
  layOutBySome,
  layOutEarly,
  layOutForgettingCopies,
  layOutPermuted,
  layOutWithoutResults,
} from "./memory.ts";
export { repetitionsIn } from "./merging.ts";
