import { type Compile, compilerFor } from "./compile/compile.ts";
import { compiledJavascript } from "./compiled_javascript.ts";

export type { Compile, CompileOptions } from "./compile/compile.ts";
export type { CompiledFunction } from "./compile/compiled_function.ts";
export type { Report, ValueAndGradient } from "./compile/runner.ts";
export type { Numbers, Precision } from "./plan/executable.ts";
export type { Regime, RewriteName } from "./plan/rewrite.ts";

/**
 * A graph as a function that computes its value and its derivatives: `compile(graph).gradient(x)`. In generated JavaScript, which a page's
 * content security policy must allow (`unsafe-eval`). Nothing that this door opens loads a library.
 */
export const compile: Compile<"javascript"> = compilerFor({ javascript: compiledJavascript }, "javascript");
