import { accuracy, type Engine } from "../../spec/contract/index.ts";
import { vectorAccuracy } from "./accuracy.ts";
import { compiledEngine } from "./contract.ts";
import { javascript } from "./javascript/index.ts";
import { javascriptScalars } from "./javascript/scalar/index.ts";
import { allows, type Regime } from "./plan/index.ts";
import { scalarEngine } from "./scalar_contract.ts";

const version = "0.1.0";

/** Makes the engine in generated JavaScript, behind the judge's contract. */
export function javascriptEngine(regime: Regime = "fast"): Engine {
  const name = regime === "fast" ? "adjudge javascript" : "adjudge javascript, bit-exact";
  return compiledEngine({ name, version, accuracy, regime, backend: javascript });
}

/** Makes its executor of scalar graphs of any size, by runs wherever they average `shortestRun` nodes. */
export function javascriptScalarEngine(regime: Regime = "fast", shortestRun: number = 0): Engine {
  const name = regime === "fast" ? "adjudge javascript scalars" : "adjudge javascript scalars, bit-exact";
  const { exp, sin, cos } = vectorAccuracy.float64;
  const own = allows(regime, "own_functions") ? { ...accuracy, exp, sin, cos } : accuracy;
  return scalarEngine({ name, version, accuracy: own, regime, shortestRun, backend: javascriptScalars });
}
