import { wasm, wasmBackend } from "../wasm/index.ts";
import { wasmEngine } from "../wasm_engine.ts";
import { type PlanMutant, planMutantTable, type Setting } from "./plan_mutant.ts";

/** The WebAssembly engine, with the accuracy of its own functions. */
const setting: Setting = { backend: wasm, accuracy: wasmEngine("fast").describe().accuracy };

/** The mutants of the WebAssembly backend, in a module that loads its generator. */
export const wasmPlanMutants: readonly PlanMutant[] = planMutantTable({
  product_negated: {
    fault: "The instruction that multiplies and adds is the one that subtracts the product.",
    rewrite: "contraction",
    backend: wasmBackend({
      fused:
        ({ arithmetic }) =>
        (x, y, z) =>
          arithmetic.sub(z, arithmetic.mul(x, y)),
    }),
    setting,
  },
  short_polynomials: {
    fault: "The polynomials of exponentials and logarithms lack their last coefficient.",
    rewrite: "own_functions",
    backend: wasmBackend({
      coefficients: (right) => ({ ...right, exp: right.exp.slice(0, -1), log: right.log.slice(0, -1) }),
    }),
    setting,
  },
});
