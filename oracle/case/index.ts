/** A case is a graph, a point, seeds and tangents; the reference runs it. */
export type { Case } from "./case.ts";
export { type Choice, withChoices } from "./choices.ts";
export {
  expandCase,
  expandProgram,
  type Inside,
  isComputedWhole,
  nameOfId,
  namesInExpansion,
  type PrimitiveCase,
  type PrimitiveProgram,
  writeOut,
} from "./expansion.ts";
export {
  flatten,
  floatEnvironment,
  listOf,
  type ReferenceRun,
  runReference,
  unflatten,
} from "./reference_run.ts";
export { valuesOf } from "./valuation.ts";
