export type { Law } from "./ask.ts";
export * from "./campaign.ts";
export type * from "./case.ts";
export * from "./generate/index.ts";
export * from "./judge.ts";
export * from "./laws/index.ts";
export * from "./tally.ts";
export * from "./truth/index.ts";
export type * from "./verdict.ts";
