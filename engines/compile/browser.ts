import { type Compile, compilerFor } from "./compile.ts";
import { compiledJavascript } from "./compiled_javascript.ts";

export type { Compile, CompileOptions } from "./compile.ts";
export type { CompiledFunction } from "./compiled_function.ts";
export type { Numbers, Precision, Regime, RewriteName } from "./plan/index.ts";
export type { Report, ValueAndGradient } from "./runner.ts";

/**
 * A graph as a function that computes its value and its derivatives: `compile(graph).gradient(x)`. In generated JavaScript, which a page's
 * content security policy must allow (`unsafe-eval`). Nothing that this door opens loads a library.
 */
export const compile: Compile<"javascript"> = compilerFor({ javascript: compiledJavascript }, "javascript");
