import { wasmBackend } from "../../../wasm/backend.ts";
import { type PlanMutant, plantPlan } from "../plan_mutant.ts";
import { wasmSetting } from "./wasm_setting.ts";

export const productNegated: PlanMutant = plantPlan(
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
  wasmSetting,
);
