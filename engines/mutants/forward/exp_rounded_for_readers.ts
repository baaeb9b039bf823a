import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { exp } = soundParts.kernels;

export const expRoundedForReaders: Mutant = plant(
  {
    name: "exp_rounded_for_readers",
    fault: "In forward mode the value of exp that later nodes read is rounded to float32.",
    source: "A20",
  },
  withKernel("exp", {
    jvp(machine, step) {
      exp.jvp(machine, step);
      const { values } = machine;
      for (let i = 0; i < step.size; i++) values[step.out + i] = Math.fround(values[step.out + i] ?? 0);
    },
  }),
);
