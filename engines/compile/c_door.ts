import { howToInstall, isInstalled } from "../../spec/peers.ts";
import { cBackend, emitC, findCompiler } from "./c/index.ts";
import { type Compile, compilerFor } from "./compile.ts";
import { compiledJavascript } from "./compiled_javascript.ts";
import { javascriptScalars } from "./javascript/scalar/index.ts";
import type { Backend } from "./plan/index.ts";

export type * from "./browser.ts";
export { emitC };

/** Looks for a compiler when the first program is built, since writing files needs none. */
function lateBackend(): Backend {
  let found: Backend | undefined;
  return {
    name: "c",
    build(order) {
      found ??= thisMachines();
      return found.build(order);
    },
  };
}

function thisMachines(): Backend {
  const compiler = findCompiler();
  if (compiler === undefined) throw new Error('the engine in C needs a C compiler: "cc", or what CC names.');
  if (!isInstalled("koffi")) throw new Error(`the engine in C needs koffi: ${howToInstall("koffi")}`);
  return cBackend(compiler);
}

/**
 * Compiles a graph to a function for its value and derivatives: `compile(graph, { engine: "c"
 * }).gradient(x)`. A program is one C file, which the machine's compiler makes a library of at the first call
 * of a method; libraries are kept in the user's folder of caches.
 */
export const compile: Compile<"c" | "javascript"> = compilerFor(
  {
    // A graph of scalars, however large, is a program of loops.
    c: { loops: lateBackend(), scalars: javascriptScalars, manyScalars: Number.POSITIVE_INFINITY },
    javascript: compiledJavascript,
  },
  "c",
);
