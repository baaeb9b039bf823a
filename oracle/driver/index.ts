/** Judging questions of any kind: within limits, in flight, with a memory, and made small. */
export { judgedAhead, type Pace, type Posed, telling } from "./ahead.ts";
export { inFlight } from "./in_flight.ts";
export { exhausted, judgeBy, posedBy } from "./judge_by.ts";
export type { Ended, JudgingOptions, Kind, Memory, Wrong } from "./kind.ts";
export { memoryBy } from "./memory.ts";
export { searchTime } from "./search_time.ts";
