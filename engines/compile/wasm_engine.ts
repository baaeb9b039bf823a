import { accuracy, type Description, type Engine } from "../../spec/contract/index.ts";
import { present } from "../../spec/shapes/index.ts";
import { vectorAccuracy } from "./accuracy.ts";
import { compiledEngine } from "./contract.ts";
import { allows, type Regime } from "./plan/index.ts";
import { scalarEngine } from "./scalar_contract.ts";
import { wasm } from "./wasm/index.ts";
import { wasmScalars } from "./wasm/scalar/index.ts";

const version = "0.1.0";

/** Returns the promise: for its own functions where it may use them, for the host's elsewhere. */
function accuracyIn(regime: Regime): Description["accuracy"] {
  if (!allows(regime, "own_functions")) return accuracy;
  const own = vectorAccuracy.float64;
  const greater = (name: "tanh" | "erf"): number => Math.max(own[name], present(accuracy[name], name));
  return { ...accuracy, ...own, tanh: greater("tanh"), erf: greater("erf") };
}

/** Makes the engine in WebAssembly, behind the judge's contract. */
export function wasmEngine(regime: Regime = "fast"): Engine {
  const name = regime === "fast" ? "adjudge wasm" : "adjudge wasm, bit-exact";
  return compiledEngine({ name, version, accuracy: accuracyIn(regime), regime, backend: wasm });
}

/** Makes its executor of scalar graphs of any size, by runs wherever they average `shortestRun` nodes. */
export function wasmScalarEngine(regime: Regime = "fast", shortestRun: number = 0): Engine {
  const name = regime === "fast" ? "adjudge wasm scalars" : "adjudge wasm scalars, bit-exact";
  const backend = wasmScalars();
  return scalarEngine({ name, version, accuracy: accuracyIn(regime), regime, shortestRun, backend });
}
