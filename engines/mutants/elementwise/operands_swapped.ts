import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { divide } = soundParts.kernels;

export const operandsSwapped: Mutant = plant(
  {
    name: "operands_swapped",
    fault: "The operands of a quotient receive each other's cotangents.",
    source: "",
  },
  withKernel("divide", {
    vjp(machine, step) {
      divide.vjp(machine, { ...step, xBar: step.yBar, yBar: step.xBar });
    },
  }),
);
