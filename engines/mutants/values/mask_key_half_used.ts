import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { bernoulli_mask: bernoulliMask } = soundParts.kernels;

export const maskKeyHalfUsed: Mutant = plant(
  {
    name: "mask_key_half_used",
    fault: "bernoulli_mask draws from the first half of its key alone.",
    source: "D17",
  },
  withKernel("bernoulli_mask", {
    forward(machine, step) {
      const second = (step.table[0] ?? 0) + 1;
      const indices = machine.indices.with(second, 0);
      bernoulliMask.forward({ ...machine, indices }, step);
    },
  }),
);
