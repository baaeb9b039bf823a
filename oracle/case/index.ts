/** A case: a graph, a point, seeds and tangents; and its run by the reference. */
export type { Case } from "./case.ts";
export { type Choice, withChoices } from "./choices.ts";
export {
  expandCase,
  expandProgram,
  type Inside,
  isComputedWhole,
  type PrimitiveCase,
  type PrimitiveProgram,
  writeOut,
} from "./expansion.ts";
export { flatten, listOf, type ReferenceRun, runReference, unflatten } from "./reference_run.ts";
export { valuesOf } from "./valuation.ts";
