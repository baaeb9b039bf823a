import { howToInstall, isInstalled } from "../../spec/peers.ts";
import { cBackend, findCompiler } from "./c/index.ts";
import { type Compile, compilerFor } from "./compile.ts";
import { compiledJavascript } from "./compiled_javascript.ts";
import { javascriptScalars } from "./javascript/scalar/index.ts";

export type * from "./browser.ts";

const compiler = findCompiler();
if (compiler === undefined) throw new Error(`adjudge/compile/c needs a C compiler: "cc", or what CC names.`);
if (!isInstalled("koffi")) throw new Error(`adjudge/compile/c needs koffi: ${howToInstall("koffi")}`);

/**
 * Compiles a graph to a function for its value and derivatives: `compile(graph, { engine: "c"
 * }).gradient(x)`.
 * A program is one C file, which the machine's compiler makes a library of at the first call of a method;
 * libraries are kept in the user's folder of caches.
 */
export const compile: Compile<"c" | "javascript"> = compilerFor(
  {
    // A graph of scalars, however large, is a program of loops.
    c: { loops: cBackend(compiler), scalars: javascriptScalars, manyScalars: Number.POSITIVE_INFINITY },
    javascript: compiledJavascript,
  },
  "c",
);
