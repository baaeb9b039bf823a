import { howToInstall, isInstalled } from "../../spec/peers.ts";
import { type CCompiler, cBackend, emitC, findCompiler } from "./c/index.ts";
import { cScalars, shortestRun } from "./c/scalar/index.ts";
import { type Compile, compilerFor } from "./compile.ts";
import { compiledJavascript } from "./compiled_javascript.ts";
import type { Backend } from "./plan/index.ts";
import type { ScalarBackend } from "./plan/scalar/index.ts";

export type * from "./browser.ts";
export { emitC };

/** Looks for a compiler when the first program is built, since writing files needs none. */
function late(): { loops: Backend; scalars: ScalarBackend } {
  const found: { compiler?: CCompiler } = {};
  const compiler = (): CCompiler => {
    found.compiler ??= thisMachines();
    return found.compiler;
  };
  return {
    loops: { name: "c", build: (order) => cBackend(compiler()).build(order) },
    scalars: {
      name: "c",
      shortestRun,
      build: (...asked) => cScalars(compiler()).build(...asked),
      buildDense: (...asked) => cScalars(compiler()).buildDense(...asked),
    },
  };
}

function thisMachines(): CCompiler {
  const compiler = findCompiler();
  if (compiler === undefined) throw new Error('the engine in C needs a C compiler: "cc", or what CC names.');
  if (!isInstalled("koffi")) throw new Error(`the engine in C needs koffi: ${howToInstall("koffi")}`);
  return compiler;
}

/**
 * Compiles a graph to a function for its value and derivatives: `compile(graph, { engine: "c"
 * }).gradient(x)`. A program is one C file, which the machine's compiler makes a library of at the first call
 * of a method; libraries are kept in the user's folder of caches.
 */
export const compile: Compile<"c" | "javascript"> = compilerFor(
  {
    // Loops over single numbers are calls, which take their time to be compiled.
    c: { ...late(), manyScalars: 100 },
    javascript: compiledJavascript,
  },
  "c",
);
