export { binomialCost, binomialSchedule, reachOf } from "./binomial.ts";
export { binomialTape, onlineTape, optimalTape, segmentTape } from "./checkpointed.ts";
export { optimalSchedule } from "./optimum.ts";
export * from "./schedule.ts";
