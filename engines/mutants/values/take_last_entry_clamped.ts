import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { take } = soundParts.kernels;

export const takeLastEntryClamped: Mutant = plant(
  {
    name: "take_last_entry_clamped",
    fault: "The value of take clamps its indices below the last entry of a longer axis.",
    source: "D26",
  },
  withKernel("take", {
    forward(machine, step) {
      const last = Math.max(0, (step.table[2] ?? 0) - 2);
      take.forward({ ...machine, indices: machine.indices.map((index) => Math.min(index, last)) }, step);
    },
  }),
);
