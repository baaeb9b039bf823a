import { contribute, soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { pow } = soundParts.kernels;

export const powExponentAtZeroBase: Mutant = plant(
  {
    name: "pow_exponent_at_zero_base",
    fault: "The exponent of pow receives c·xʸ·log x also where x = 0, and 0 · ∞ is NaN.",
    source: "C08",
  },
  withKernel("pow", {
    vjp(machine, step) {
      pow.vjp(machine, step);
      for (let i = 0; i < step.size; i++) {
        if (machine.values[step.x + i] === 0) contribute(machine, step.yBar + i, Number.NaN);
      }
    },
  }),
);
