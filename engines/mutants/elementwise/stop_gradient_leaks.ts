import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const stopGradientLeaks: Mutant = plant(
  {
    name: "stop_gradient_leaks",
    fault: "The reverse sweep takes stop_gradient for the identity.",
    source: "F05",
  },
  withKernel("stop_gradient", { firstReceiver: 0, vjp: soundParts.kernels.reshape.vjp }),
);
