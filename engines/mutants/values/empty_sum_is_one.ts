import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { sum } = soundParts.kernels;

export const emptySumIsOne: Mutant = plant(
  {
    name: "empty_sum_is_one",
    fault: "The sum of no elements is 1, the neutral element of the product.",
    source: "B20",
  },
  withKernel("sum", {
    forward(machine, step) {
      sum.forward(machine, step);
      if (step.xSize === 0) machine.values.fill(1, step.out, step.out + step.size);
    },
  }),
);
