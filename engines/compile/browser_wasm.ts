import { type Compile, compilerFor } from "./compile.ts";
import { compiledJavascript } from "./compiled_javascript.ts";
import { wasm } from "./wasm/index.ts";
import { wasmScalars } from "./wasm/scalar/index.ts";

export { type GradientBatch, type GradientBatchOptions, startGradientBatch } from "./batch.ts";
export type * from "./browser.ts";
export type { WasmExecutable } from "./wasm/index.ts";

/**
 * Compiles a graph to a function for its value and derivatives: `compile(graph, { engine: "wasm"
 * }).gradient(x)`. Loading this module loads the generator of WebAssembly, which takes a third of a second.
 */
export const compile: Compile<"wasm" | "javascript"> = compilerFor(
  {
    // A random gradient takes 28 ns a node by loops at 100 nodes, and 8 at 300; 8 and 5 by runs or steps.
    wasm: { loops: wasm, scalars: wasmScalars(), manyScalars: 100 },
    javascript: compiledJavascript,
  },
  "wasm",
);
