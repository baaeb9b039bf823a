import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { pad } = soundParts.kernels;

export const padCotangentNotShifted: Mutant = plant(
  {
    name: "pad_cotangent_not_shifted",
    fault: "The cotangent of pad is read from its start, as if nothing had been put before the operand.",
    source: "D25",
  },
  withKernel("pad", {
    vjp(machine, step) {
      const first = step.table[0] ?? 0;
      pad.vjp(machine, { ...step, table: step.table.map((position) => position - first) });
    },
  }),
);
