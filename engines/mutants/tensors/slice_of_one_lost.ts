import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { slice } = soundParts.kernels;

export const sliceOfOneLost: Mutant = plant(
  { name: "slice_of_one_lost", fault: "A slice of one element pulls back nothing.", source: "B18" },
  withKernel("slice", {
    vjp(machine, step) {
      if (step.size !== 1) slice.vjp(machine, step);
    },
  }),
);
