import { pullBack } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const sweepGivesUp: Mutant = plant(
  {
    name: "sweep_gives_up",
    fault: "The sweep visits 24 nodes and no more, as a recursion does whose stack is full.",
    source: "A12",
  },
  withReverse({
    sweep(machine, { steps }) {
      let room = 24;
      for (const step of steps.toReversed()) {
        if (machine.reached[step.id] === 0) continue;
        if (room === 0) return;
        pullBack(machine, step);
        room -= 1;
      }
    },
  }),
);
