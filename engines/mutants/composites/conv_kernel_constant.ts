import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";

const { conv } = soundParts.composites;

export const convKernelConstant: Mutant = plant(
  { name: "conv_kernel_constant", fault: "The kernel of conv receives no cotangent.", source: "A18" },
  withExpansion("conv", (scope, attributes, x, w) => conv.expand(scope, attributes, x, w.stop_gradient())),
);
