/** The sums of a graph, of its gradient and of what the planner makes of both: of how many terms, and between what. */

export { codesOfRanges } from "./given_codes.ts";
export { graphSums, type NamedSum, type SumsAsked } from "./graph_sums.ts";
export { type PlanStep, planSums } from "./plan_sums.ts";
export type { CodeRange } from "./summands.ts";
export { distinct } from "./sums.ts";
