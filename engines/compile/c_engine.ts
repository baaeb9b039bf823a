import { accuracy, type Description, type Engine } from "../../spec/contract/index.ts";
import { ownAccuracy } from "./accuracy.ts";
import { type CCompiler, cBackend, cBatch, type Fault } from "./c/index.ts";
import { cScalars } from "./c/scalar/index.ts";
import { compiledEngine } from "./contract.ts";
import { allows, type Backend, type Regime } from "./plan/index.ts";
import { scalarEngine } from "./scalar_contract.ts";

export { type CCompiler, type Fault, findCompiler } from "./c/index.ts";

const version = "0.1.0";

/** Returns the promise: for the file's own functions where it may use them, for the host's elsewhere. */
function accuracyIn(regime: Regime): Description["accuracy"] {
  return allows(regime, "own_functions") ? ownAccuracy : accuracy;
}

/** Makes the engine in C, behind the judge's contract. */
export function cEngine(compiler: CCompiler, regime: Regime = "fast"): Engine {
  return engineOf(cBackend(compiler), regime);
}

/**
 * Makes two engines in C: what is asked of the first, whose answers mean nothing, is compiled by few calls of
 * the compiler before the second answers it.
 */
export function cEngines(
  compiler: CCompiler,
  regime: Regime = "fast",
  fault: Fault = {},
): { readonly noting: Engine; readonly answering: Engine } {
  const { notes, runs } = cBatch(compiler, fault);
  return { noting: engineOf(notes, regime), answering: engineOf(runs, regime) };
}

function engineOf(backend: Backend, regime: Regime): Engine {
  const name = regime === "fast" ? "adjudge c" : "adjudge c, bit-exact";
  return compiledEngine({ name, version, accuracy: accuracyIn(regime), regime, backend });
}

/** Makes its executor of scalar graphs of any size, by runs wherever they average `shortestRun` nodes. */
export function cScalarEngine(compiler: CCompiler, regime: Regime = "fast", shortestRun: number = 0): Engine {
  const name = regime === "fast" ? "adjudge c scalars" : "adjudge c scalars, bit-exact";
  const backend = cScalars(compiler);
  return scalarEngine({ name, version, accuracy: accuracyIn(regime), regime, shortestRun, backend });
}
