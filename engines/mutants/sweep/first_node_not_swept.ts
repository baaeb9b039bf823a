import { pullBack } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const firstNodeNotSwept: Mutant = plant(
  {
    name: "first_node_not_swept",
    fault: "The sweep ends one node too early: the first is never pulled back.",
    source: "",
  },
  withReverse({
    sweep(machine, { steps }) {
      for (const step of steps.slice(1).toReversed()) {
        if (machine.reached[step.id] === 1) pullBack(machine, step);
      }
    },
  }),
);
