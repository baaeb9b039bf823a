/** Judging questions of any kind: within limits, in flight, with a memory, and made small. */
export { inFlight } from "./in_flight.ts";
export { exhausted, judgeBy } from "./judge_by.ts";
export type { Ended, JudgingOptions, Kind, Memory, Wrong } from "./kind.ts";
export { memoryBy } from "./memory.ts";
export { searchTime } from "./search_time.ts";
