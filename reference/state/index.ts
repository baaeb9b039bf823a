export * from "./execute.ts";
export { defaultLimits, type Generator, type Limits, type Sent, type World } from "./run.ts";
