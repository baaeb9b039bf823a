import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { matmul } = soundParts.kernels;

export const matmulRepeatedOperand: Mutant = plant(
  {
    name: "matmul_repeated_operand",
    fault: "A matrix times itself receives the contribution of one operand.",
    source: "A02",
  },
  withKernel("matmul", {
    vjp(machine, step) {
      const { x, y } = step;
      matmul.vjp(machine, x === y ? { ...step, yBar: machine.work + step.xSize } : step);
    },
  }),
);
