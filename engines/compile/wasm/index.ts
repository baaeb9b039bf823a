import { type WasmBackend, wasmBackend } from "./backend.ts";

export type { WasmBackend, WasmExecutable } from "./backend.ts";
export { startBatch } from "./batch/batch.ts";

/** The WebAssembly backend makes one module and one memory for each program. */
export const wasm: WasmBackend = wasmBackend();
export { wasmBackend } from "./backend.ts";
// Whoever proves where a module reads and writes enters here.
export { aligned, memoryPlan } from "./memory.ts";
export { type Nest, type Place, permuted, reversed, simplified, sliced } from "./nest.ts";
export { segmentsOf } from "./schedule.ts";
export { stepsOf } from "./steps.ts";
export { Tile } from "./tile.ts";
