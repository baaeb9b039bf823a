import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { multiply } = soundParts.kernels;

export const operandClobbered: Mutant = plant(
  {
    name: "operand_clobbered",
    fault: "The reverse kernel of multiply leaves a cotangent where an operand's value was still needed.",
    source: "E06",
  },
  withKernel("multiply", {
    vjp(machine, step) {
      multiply.vjp(machine, step);
      const { values, cotangents } = machine;
      for (let i = 0; i < step.size; i++) values[step.x + i] = cotangents[step.out + i] ?? 0;
    },
  }),
);
