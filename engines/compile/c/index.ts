export { cBackend, cBatch } from "./backend.ts";
// Whoever proves where a file reads and writes enters here.
export { laneAlong } from "./blocks.ts";
export { type CCompiler, findCompiler } from "./compiler.ts";
export { emitC } from "./emit.ts";
export type { Fault } from "./source.ts";
