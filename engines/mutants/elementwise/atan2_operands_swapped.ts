import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { atan2 } = soundParts.kernels;

export const atan2OperandsSwapped: Mutant = plant(
  {
    name: "atan2_operands_swapped",
    fault: "The operands of atan2 receive each other's cotangents.",
    source: "C28",
  },
  withKernel("atan2", {
    vjp(machine, step) {
      atan2.vjp(machine, { ...step, xBar: step.yBar, yBar: step.xBar });
    },
  }),
);
