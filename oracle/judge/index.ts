export * from "./campaign.ts";
export { hasHung, isBreakdown, type Told } from "./crash.ts";
export * from "./fault.ts";
export * from "./given.ts";
export { type JudgeOptions, judge, withoutNumbers } from "./judge.ts";
export { type Refusal, refusals } from "./refusal.ts";
export * from "./standing.ts";
export * from "./survey.ts";
export * from "./tally.ts";
