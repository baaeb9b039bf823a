import { wasmBackend } from "../../../wasm/backend.ts";
import { type PlanMutant, plantPlan } from "../plan_mutant.ts";
import { wasmSetting } from "./wasm_setting.ts";

export const shortPolynomials: PlanMutant = plantPlan(
  {
    name: "short_polynomials",
    fault: "The polynomials of exponentials and logarithms lack their last coefficient.",
    rewrite: "own_functions",
  },
  {
    backend: wasmBackend({
      coefficients: (right) => ({ ...right, exp: right.exp.slice(0, -1), log: right.log.slice(0, -1) }),
    }),
  },
  wasmSetting,
);
