export { admit } from "./admit.ts";
export type { Law } from "./ask.ts";
export * from "./campaign.ts";
export { type Finding, isMiscount, type Probe } from "./finding.ts";
export * from "./judge.ts";
export * from "./survey.ts";
export * from "./tally.ts";
export type * from "./verdict.ts";
