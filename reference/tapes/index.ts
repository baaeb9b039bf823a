export {
  type Action,
  type Actions,
  binomialCost,
  binomialSchedule,
  binomialTape,
  costOf,
  onlineTape,
  optimalSchedule,
  optimalTape,
  reachOf,
  type ScheduleCost,
  segmentTape,
} from "./checkpoints/index.ts";
export * from "./compressed.ts";
export { derived, transposed } from "./derived.ts";
export { dynamic } from "./dynamic.ts";
export * from "./encoded.ts";
export { fused } from "./fused.ts";
export * from "./lives.ts";
export type { Measure, Watch } from "./meter.ts";
export { nestedSubject } from "./nested.ts";
export { outputSaving } from "./output_saving.ts";
export * from "./planted/index.ts";
export * from "./programs.ts";
export { prunedTape } from "./pruned.ts";
export { recomputing } from "./recomputing.ts";
export { type Property, propertiesOfFields, propertiesOfFloats, simplifications } from "./simplifications.ts";
export { staticSystem } from "./static.ts";
export * from "./subject.ts";
export * from "./system.ts";
export * from "./table.ts";
