/** These list the sums of a graph, its gradient and their plans, with their numbers of terms and bounds. */
export { codesOfRanges } from "./given_codes.ts";
export { graphSums, type NamedSum, type SumsAsked } from "./graph_sums.ts";
export { type PlanStep, planSums } from "./plan_sums.ts";
export { type Stage, sectionOf } from "./section.ts";
export type { CodeRange } from "./summands.ts";
export { distinct } from "./sums.ts";
