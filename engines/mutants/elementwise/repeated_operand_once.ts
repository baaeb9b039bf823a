import { contribute, soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { multiply } = soundParts.kernels;

export const repeatedOperandOnce: Mutant = plant(
  {
    name: "repeated_operand_once",
    fault: "A tensor that is both operands of a product receives the contribution of only one of them.",
    source: "A02",
  },
  withKernel("multiply", {
    vjp(machine, step) {
      if (step.x !== step.y) return multiply.vjp(machine, step);
      const { values, cotangents } = machine;
      for (let i = 0; i < step.size; i++) {
        contribute(machine, step.xBar + i, (cotangents[step.out + i] ?? 0) * (values[step.y + i] ?? 0));
      }
    },
  }),
);
