import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { bernoulli_mask: bernoulliMask } = soundParts.kernels;

export const maskKeepsWithRate: Mutant = plant(
  {
    name: "mask_keeps_with_rate",
    fault: "bernoulli_mask is 1 with the probability with which it ought to be 0.",
    source: "D15",
  },
  withKernel("bernoulli_mask", {
    forward(machine, step) {
      bernoulliMask.forward(machine, step);
      const { values } = machine;
      for (let i = 0; i < step.size; i++) values[step.out + i] = 1 - (values[step.out + i] ?? 0);
    },
  }),
);
