import type { CompiledEngine } from "./compile.ts";
import { javascript } from "./javascript/index.ts";
import { javascriptScalars } from "./javascript/scalar/index.ts";

/**
 * The engine in JavaScript. A random gradient takes as long either way at 300 and 900 nodes (2.3 and 3 ns a
 * node); at 4,000 nodes straight-line code takes four times as long.
 */
export const compiledJavascript: CompiledEngine = {
  loops: javascript,
  scalars: javascriptScalars,
  manyScalars: 1000,
};
