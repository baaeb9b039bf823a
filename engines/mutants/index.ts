import { callsMutants } from "./calls/index.ts";
import { compositesMutants } from "./composites/index.ts";
import { elementwiseMutants } from "./elementwise/index.ts";
import { forwardMutants } from "./forward/index.ts";
import type { Mutant } from "./mutant.ts";
import { sweepMutants } from "./sweep/index.ts";
import { tensorsMutants } from "./tensors/index.ts";
import { valuesMutants } from "./values/index.ts";

export type { Mutant } from "./mutant.ts";
export { type PlanMutant, planMutants } from "./plans/index.ts";

/**
 * The mutants, one fault each: first of the sweep, then of single reverse rules, of forward mode, of the values, and of
 * what lies around a sound core. A judge that lets one pass is not a judge.
 */
export const mutants: readonly Mutant[] = [
  ...sweepMutants,
  ...elementwiseMutants,
  ...tensorsMutants,
  ...forwardMutants,
  ...valuesMutants,
  ...callsMutants,
  ...compositesMutants,
];
