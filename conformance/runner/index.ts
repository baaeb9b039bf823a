/** Engines behind a pipe: processes, limits, and the smoke test of an adapter. */

export { readTensors } from "./answer.ts";
export type { Unnumbered } from "./asking.ts";
export { ProcessEngine } from "./engine.ts";
export { introduce } from "./handshake.ts";
export { defaultLimits, type Limits } from "./limits.ts";
export { type Command, type Ending, type Start, startProcess, type Talker } from "./process.ts";
export type { Session } from "./session.ts";
export { caseOf } from "./smoke/examples.ts";
export { causeOf, type SmokeReport, type SmokeStep, smoke } from "./smoke.ts";
