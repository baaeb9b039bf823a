import { accuracy, type Description, type Engine } from "../../spec/contract/index.ts";
import { ownAccuracy } from "./accuracy.ts";
import { type CCompiler, cBackend } from "./c/index.ts";
import { compiledEngine } from "./contract.ts";
import { allows, type Regime } from "./plan/index.ts";

export { findCompiler } from "./c/index.ts";

const version = "0.1.0";

/** Returns the promise: for the file's own functions where it may use them, for the host's elsewhere. */
function accuracyIn(regime: Regime): Description["accuracy"] {
  return allows(regime, "own_functions") ? ownAccuracy : accuracy;
}

/** Makes the engine in C, behind the judge's contract. */
export function cEngine(compiler: CCompiler, regime: Regime = "fast"): Engine {
  const name = regime === "fast" ? "adjudge c" : "adjudge c, bit-exact";
  return compiledEngine({ name, version, accuracy: accuracyIn(regime), regime, backend: cBackend(compiler) });
}
