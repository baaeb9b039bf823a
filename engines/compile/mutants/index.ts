/** Obligations plant these wrong parts of the planner's mutants, without an engine around them. */
export { arithmeticMutants, withoutLastRound } from "./arithmetic.ts";
export { loopMutants } from "./loops.ts";
export {
  checkpointedWithoutBases,
  layOutBySome,
  layOutEarly,
  layOutForgettingCopies,
  layOutPermuted,
  layOutWithoutResults,
  memoryMutants,
} from "./memory.ts";
export { repetitionsIn } from "./merging.ts";
export type { PlanMutant } from "./plan_mutant.ts";
export { scalarMutants } from "./scalars.ts";
