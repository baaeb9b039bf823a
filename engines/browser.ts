import { type Compile, compilerFor } from "./compile/compile.ts";
import { compiledJavascript } from "./compiled_javascript.ts";

export type { Compile, CompileOptions } from "./compile/compile.ts";
export type { CompiledFunction } from "./compile/compiled_function.ts";
export type { Report, ValueAndGradient } from "./compile/runner.ts";
export type { Numbers, Precision } from "./plan/executable.ts";
export type { Regime, RewriteName } from "./plan/rewrite.ts";

/**
 * Compiles a graph to a function for its value and derivatives: `compile(graph).gradient(x)`. It generates
 * JavaScript, which a page's content security policy must allow (`unsafe-eval`), and loads no library.
 */
export const compile: Compile<"javascript"> = compilerFor({ javascript: compiledJavascript }, "javascript");
