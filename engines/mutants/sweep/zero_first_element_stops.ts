import { pullBack } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const zeroFirstElementStops: Mutant = plant(
  {
    name: "zero_first_element_stops",
    fault: "A node is skipped if the first element of its cotangent is zero, not only if all are.",
    source: "A14",
  },
  withReverse({
    sweep(machine, { steps }) {
      for (const step of steps.toReversed()) {
        if (machine.reached[step.id] === 1 && machine.cotangents[step.out] !== 0) pullBack(machine, step);
      }
    },
  }),
);
