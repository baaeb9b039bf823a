export { cBackend } from "./backend.ts";
export { type CCompiler, findCompiler } from "./compiler.ts";
export { emitC } from "./emit.ts";
export type { Fault } from "./source.ts";
