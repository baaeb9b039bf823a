import { pullBack, sizeAt } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const fanOutOverwritten: Mutant = plant(
  {
    name: "fan_out_overwritten",
    fault: "A node's contribution replaces what its operands' slots held instead of being added to it.",
    source: "A01",
  },
  withReverse({
    sweep(machine, { steps, offsets }) {
      for (const step of steps.toReversed()) {
        if (machine.reached[step.id] === 0) continue;
        for (const id of step.receivers) {
          const offset = offsets[id] ?? 0;
          machine.cotangents.fill(-0, offset, offset + sizeAt(offsets, id));
        }
        pullBack(machine, step);
      }
    },
  }),
);
