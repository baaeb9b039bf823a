import { type Compile, compilerFor } from "./compile.ts";
import { compiledJavascript } from "./compiled_javascript.ts";

export type { Compile, CompileOptions } from "./compile.ts";
export type { CompiledFunction } from "./compiled_function.ts";
export type { Numbers, Precision, Regime, RewriteName } from "./plan/index.ts";
export type { Report, ValueAndGradient } from "./runner.ts";

/**
 * Compiles a graph to a function for its value and derivatives: `compile(graph).gradient(x)`. It generates
 * JavaScript, which a page's content security policy must allow (`unsafe-eval`), and loads no library.
 */
export const compile: Compile<"javascript"> = compilerFor({ javascript: compiledJavascript }, "javascript");
