export * from "./aliases.ts";
export * from "./execute.ts";
export * from "./hazards.ts";
export * from "./policies.ts";
export type { MemoryEvent } from "./recorder.ts";
export { defaultLimits, type Generator, type Limits, type Sent, type World } from "./run.ts";
export * from "./session.ts";
