import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryForward } from "../rules.ts";

export const tanhCancels: Mutant = plant(
  {
    name: "tanh_cancels",
    fault: "tanh is computed as 2/(1 + e⁻²ˣ) − 1, which loses its digits near zero.",
    source: "C30",
  },
  withKernel("tanh", { forward: unaryForward((x) => 2 / (1 + Math.exp(-2 * x)) - 1) }),
);
