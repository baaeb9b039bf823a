/** Scripts that record and sweep tapes [SEMANTICS §4.10]. */
export { type Flow, flowOf } from "./flow.ts";
export { mannersIssues } from "./manners.ts";
export type {
  RecordStep,
  Refusal,
  SweepStep,
  TapeCase,
  TapeCaseJson,
  TapeStep,
  TapeStepJson,
} from "./steps.ts";
