/** Scripts that record and sweep tapes [SEMANTICS §4.10]. */
export { type Flow, flowOf } from "./flow.ts";
export { mannersIssues } from "./manners.ts";
export type { RecordStep, SweepStep, TapeCase, TapeStep } from "./steps.ts";
