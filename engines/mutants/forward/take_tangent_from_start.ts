import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { take } = soundParts.kernels;

export const takeTangentFromStart: Mutant = plant(
  {
    name: "take_tangent_from_start",
    fault: "In forward mode take reads the tangents from the start of the axis, whatever the indices.",
    source: "D19",
  },
  withKernel("take", {
    jvp(machine, step) {
      const indices = machine.indices.map((_, position) => position - (step.table[0] ?? 0));
      take.jvp(
        { ...machine, indices: indices.map((j) => Math.max(0, Math.min(j, (step.table[2] ?? 1) - 1))) },
        step,
      );
    },
  }),
);
