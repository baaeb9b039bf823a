export { binomialCost, binomialSchedule, reachOf } from "./binomial.ts";
export { binomialTape, checkpointed, onlineTape, optimalTape, planOf, segmentTape } from "./checkpointed.ts";
export { Front, type Plan } from "./front.ts";
export { optimalSchedule } from "./optimum.ts";
export * from "./schedule.ts";
export { segmentSchedule } from "./segments.ts";
export { type Snapshot, Walk } from "./walk.ts";
