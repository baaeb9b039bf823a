import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const siluGateConstant: Mutant = plant(
  { name: "silu_gate_constant", fault: "The gate of silu counts as a constant.", source: "A18" },
  withExpansion("silu", (_scope, _attributes, x) => x.multiply(x.sigmoid().stop_gradient())),
);
