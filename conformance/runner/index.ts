/** Engines behind a pipe: processes, limits, and the smoke test of an adapter. */
export { ProcessEngine } from "./engine.ts";
export { defaultLimits, type Limits } from "./limits.ts";
export { type Command, type Ending, type Start, startProcess, type Talker } from "./process.ts";
export { caseOf } from "./smoke/examples.ts";
export { type SmokeReport, type SmokeStep, smoke } from "./smoke.ts";
