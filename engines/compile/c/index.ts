export { cBackend } from "./backend.ts";
export { type CCompiler, findCompiler } from "./compiler.ts";
export { type EmitMode, type EmitOptions, type Emitted, emitC } from "./emit.ts";
export { type Fault, type Source, sourceText } from "./source.ts";
