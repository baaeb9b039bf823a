import { type Compile, compilerFor } from "./compile.ts";
import { compiledJavascript } from "./compiled_javascript.ts";
import { wasm } from "./wasm/index.ts";
import { wasmScalars } from "./wasm/scalar/index.ts";

export { type GradientBatch, type GradientBatchOptions, startGradientBatch } from "./batch.ts";
export type * from "./browser.ts";
export type { WasmExecutable } from "./wasm/index.ts";

/**
 * A graph as a function that computes its value and its derivatives: `compile(graph, { engine: "wasm" }).gradient(x)`. This door loads the
 * generator of WebAssembly, which takes a third of a second.
 */
export const compile: Compile<"wasm" | "javascript"> = compilerFor(
  {
    // A gradient of random sums, products and sines by loops takes 28 ns a node at 100 nodes, and 8 at 300; by runs or steps 8 and 5.
    wasm: { loops: wasm, scalars: wasmScalars(), manyScalars: 100 },
    javascript: compiledJavascript,
  },
  "wasm",
);
