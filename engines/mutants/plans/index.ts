/** Obligations plant these wrong parts of the planner's mutants, without an engine around them. */
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
