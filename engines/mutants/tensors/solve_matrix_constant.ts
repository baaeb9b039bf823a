import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { solve } = soundParts.kernels;

export const solveMatrixConstant: Mutant = plant(
  { name: "solve_matrix_constant", fault: "The matrix of solve receives no cotangent.", source: "A18" },
  withKernel("solve", {
    vjp(machine, step) {
      solve.vjp(machine, { ...step, xBar: machine.work + step.size });
    },
  }),
);
