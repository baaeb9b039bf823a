import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";

const { conv } = soundParts.composites;

export const convKernelFlipped: Mutant = plant(
  {
    name: "conv_kernel_flipped",
    fault: "conv turns its kernel over, as the convolution of mathematics does.",
    source: "D09",
  },
  withExpansion("conv", (scope, attributes, x, w) =>
    conv.expand(scope, attributes, x, w.flip({ axes: w.shape.map((_, axis) => axis).slice(2) })),
  ),
);
