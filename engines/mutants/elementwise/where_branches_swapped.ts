import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { where } = soundParts.kernels;

export const whereBranchesSwapped: Mutant = plant(
  {
    name: "where_branches_swapped",
    fault: "The operands of where receive each other's cotangents.",
    source: "",
  },
  withKernel("where", {
    vjp(machine, step) {
      where.vjp(machine, { ...step, yBar: step.zBar, zBar: step.yBar });
    },
  }),
);
