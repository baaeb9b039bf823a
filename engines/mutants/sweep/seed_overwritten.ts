import type { NodeId } from "../../../spec/index.ts";
import { pullBack, sizeAt } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const seedOverwritten: Mutant = plant(
  {
    name: "seed_overwritten",
    fault: "The first contribution to an id replaces the seed that stood there.",
    source: "",
  },
  withReverse({
    sweep(machine, { steps, offsets }) {
      const contributed = new Set<NodeId>();
      for (const step of steps.toReversed()) {
        if (machine.reached[step.id] === 0) continue;
        for (const id of step.receivers) {
          if (contributed.has(id)) continue;
          const offset = offsets[id] ?? 0;
          machine.cotangents.fill(-0, offset, offset + sizeAt(offsets, id));
          contributed.add(id);
        }
        pullBack(machine, step);
      }
    },
  }),
);
