import { accuracy } from "./accuracy.ts";
import { type Compile, compilerFor } from "./compile/compile.ts";
import { compiledEngine } from "./compile/contract.ts";
import type { Engine } from "./engine.ts";
import { javascript } from "./javascript/index.ts";
import { javascriptScalars } from "./javascript/scalar/index.ts";
import type { Profile } from "./plan/rewrite.ts";
import { wasm } from "./wasm/index.ts";
import { wasmScalars } from "./wasm/scalar/index.ts";

export type * from "./core.ts";

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

/** The engine in WebAssembly, behind the contract that the judge knows. */
export function wasmEngine(profile: Profile = "fast"): Engine {
  return compiledEngine({
    name: profile === "fast" ? "adjudge wasm" : "adjudge wasm, bit-exact",
    version: "0.1.0",
    accuracy,
    backend: wasm,
    profile,
  });
}
