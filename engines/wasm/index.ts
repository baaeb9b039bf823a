import { type WasmBackend, wasmBackend } from "./backend.ts";

export {
  type Parts,
  type RoutineRunner,
  type WasmBackend,
  type WasmExecutable,
  wasmBackend,
} from "./backend.ts";
export type { VectorFunction, VectorFunctions } from "./functions.ts";

/** The WebAssembly backend: one module and one memory for each program. */
export const wasm: WasmBackend = wasmBackend();
