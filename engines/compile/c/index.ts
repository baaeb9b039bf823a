export { cBackend, cBatch } from "./backend.ts";
// Whoever proves where a file reads and writes, and what it computes, enters here.
export { laneAlong } from "./blocks.ts";
export { type CCompiler, findCompiler } from "./compiler.ts";
export { emitC } from "./emit.ts";
export { type Fault, sourceText } from "./source.ts";
