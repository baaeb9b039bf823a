import type { CompiledEngine } from "./compile.ts";
import { javascript } from "./javascript/index.ts";
import { javascriptScalars } from "./javascript/scalar/index.ts";

/**
 * What the engine in JavaScript is made of. A gradient of random sums, products and sines takes as long either way at 300 and 900 nodes (2.3 and
 * 3 ns each); at 4,000 straight-line code takes four times as long.
 */
export const compiledJavascript: CompiledEngine = {
  loops: javascript,
  scalars: javascriptScalars,
  manyScalars: 1000,
};
