export { type EstimateQuestion, estimateQuestion } from "./estimate_graph.ts";
export * from "./judge.ts";
