import { howToInstall, isMissing } from "../../spec/peers.ts";
import type * as Compiler from "./browser_wasm.ts";

export type * from "./browser_wasm.ts";

/** Without its generator, binaryen, this door says how to install it. */
const compiler: typeof Compiler = await import("./browser_wasm.ts").catch((thrown: unknown) => {
  if (!isMissing(thrown, "binaryen")) throw thrown;
  throw new Error(`adjudge/compile/wasm needs binaryen: ${howToInstall("binaryen")}`, { cause: thrown });
});

export const compile: typeof Compiler.compile = compiler.compile;
export const startGradientBatch: typeof Compiler.startGradientBatch = compiler.startGradientBatch;
