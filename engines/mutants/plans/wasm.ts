import { accuracy } from "../../accuracy.ts";
import { wasmBackend } from "../../wasm/backend.ts";
import { vectorAccuracy } from "../../wasm/functions/index.ts";
import { wasm } from "../../wasm/index.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";

const own = vectorAccuracy.float64;
const setting = {
  backend: wasm,
  accuracy: { ...accuracy, ...own, tanh: Math.max(own.tanh, accuracy.tanh ?? 0) },
};

const productNegated: PlanMutant = plantPlan(
  {
    name: "product_negated",
    fault: "The instruction that multiplies and adds is the one that subtracts the product.",
    rewrite: "contraction",
  },
  {
    backend: wasmBackend({
      fused:
        ({ arithmetic }) =>
        (x, y, z) =>
          arithmetic.sub(z, arithmetic.mul(x, y)),
    }),
  },
  setting,
);

const shortPolynomial: PlanMutant = plantPlan(
  {
    name: "short_polynomial",
    fault: "The polynomials of exponentials and logarithms lack their last coefficient.",
    rewrite: "own_functions",
  },
  {
    backend: wasmBackend({
      coefficients: (right) => ({ ...right, exp: right.exp.slice(0, -1), log: right.log.slice(0, -1) }),
    }),
  },
  setting,
);

/** The mutants of the WebAssembly backend, behind a door of their own, since it loads the generator of WebAssembly. */
export const wasmPlanMutants: readonly PlanMutant[] = [productNegated, shortPolynomial];
