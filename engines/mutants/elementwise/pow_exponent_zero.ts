import { contribute, soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { pow } = soundParts.kernels;

export const powExponentZero: Mutant = plant(
  {
    name: "pow_exponent_zero",
    fault: "The base of pow receives c·y·x^(y − 1) also where y = 0, and 0 · ∞ is NaN.",
    source: "C07",
  },
  withKernel("pow", {
    vjp(machine, step) {
      pow.vjp(machine, step);
      const { values } = machine;
      for (let i = 0; i < step.size; i++) {
        const isPole = values[step.x + i] === 0 && values[step.y + i] === 0;
        if (isPole) contribute(machine, step.xBar + i, Number.NaN);
      }
    },
  }),
);
