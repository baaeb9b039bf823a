import { type Compile, compilerFor } from "./compile/compile.ts";
import { javascript } from "./javascript/index.ts";
import { javascriptScalars } from "./javascript/scalar/index.ts";
import { wasm } from "./wasm/index.ts";
import { wasmScalars } from "./wasm/scalar/index.ts";

export { type GradientBatch, type GradientBatchOptions, startGradientBatch } from "./compile/batch.ts";
export type * from "./core.ts";
export type { WasmExecutable } from "./wasm/index.ts";

/**
 * A graph as a function that computes its value and its derivatives: `compile(graph, { engine: "wasm" }).gradient(x)`. This door loads the
 * generator of WebAssembly, which takes a third of a second.
 */
export const compile: Compile<"wasm" | "javascript"> = compilerFor(
  {
    wasm: { loops: wasm, scalars: wasmScalars() },
    javascript: { loops: javascript, scalars: javascriptScalars },
  },
  "wasm",
);
