import type { NodeId } from "../../../spec/index.ts";
import { pullBack } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const thirdReaderLost: Mutant = plant(
  {
    name: "third_reader_lost",
    fault: "A slot takes two contributions; a third reader brings its own in vain.",
    source: "A01",
  },
  withReverse({
    sweep(machine, { steps, offsets }) {
      const contributions = new Map<NodeId, number>();
      for (const step of steps.toReversed()) {
        if (machine.reached[step.id] === 0) continue;
        const before = machine.cotangents.slice();
        pullBack(machine, step);
        for (const id of new Set(step.receivers)) {
          const count = (contributions.get(id) ?? 0) + 1;
          contributions.set(id, count);
          const [start, end] = [offsets[id] ?? 0, offsets[id + 1] ?? 0];
          if (count > 2) machine.cotangents.set(before.subarray(start, end), start);
        }
      }
    },
  }),
);
