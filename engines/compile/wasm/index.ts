import { type WasmBackend, wasmBackend } from "./backend.ts";

export type { WasmBackend, WasmExecutable } from "./backend.ts";
export { startBatch } from "./batch/batch.ts";

/** The WebAssembly backend makes one module and one memory for each program. */
export const wasm: WasmBackend = wasmBackend();
export { wasmBackend } from "./backend.ts";
