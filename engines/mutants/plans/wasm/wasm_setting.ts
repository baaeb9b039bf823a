import { wasm } from "../../../wasm/index.ts";
import { wasmEngine } from "../../../wasm_engine.ts";
import type { Setting } from "../plan_mutant.ts";

/** The WebAssembly engine, which promises what its own functions keep. */
export const wasmSetting: Setting = { backend: wasm, accuracy: wasmEngine("fast").describe().accuracy };
