export { emitTable } from "./emit.ts";
export { cScalars } from "./executable.ts";
export { shortestRun } from "./source.ts";
