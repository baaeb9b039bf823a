export { type EstimateQuestion, estimateQuestion } from "./estimate_graph.ts";
export * from "./judge.ts";
export type * from "./verdict.ts";
