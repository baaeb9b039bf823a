import { pullBack } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const interiorFreed: Mutant = plant(
  {
    name: "interior_freed",
    fault: "A node's cotangent is cleared once it was pulled back, though the dense sweep must report it.",
    source: "E05",
  },
  withReverse({
    sweep(machine, { steps }) {
      for (const step of steps.toReversed()) {
        if (machine.reached[step.id] === 0) continue;
        pullBack(machine, step);
        machine.cotangents.fill(0, step.out, step.out + step.size);
      }
    },
  }),
);
