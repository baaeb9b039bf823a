export { type AdamOptions, adam, byAdam } from "./adam.ts";
export * from "./adaptive.ts";
export type { Clipping } from "./clipping.ts";
export * from "./descent.ts";
export { type Keeping, keptDescent, keptMomentum, onFreshGrid } from "./kept.ts";
export * from "./lamb.ts";
export { alone, type Decay, type EpsilonPlace, type Scope, type Stepping, type StepRule } from "./rule.ts";
export * from "./schedules.ts";
export * from "./training.ts";
