import { contribute, soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { add } = soundParts.kernels;

export const addRepeatedOperand: Mutant = plant(
  {
    name: "add_repeated_operand",
    fault: "A tensor added to itself receives the contribution of one operand.",
    source: "A02",
  },
  withKernel("add", {
    vjp(machine, step) {
      if (step.x !== step.y) return add.vjp(machine, step);
      for (let i = 0; i < step.size; i++)
        contribute(machine, step.xBar + i, machine.cotangents[step.out + i] ?? 0);
    },
  }),
);
