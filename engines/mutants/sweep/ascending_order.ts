import { pullBack } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const ascendingOrder: Mutant = plant(
  {
    name: "ascending_order",
    fault: "The reverse sweep visits the nodes from first to last.",
    source: "",
  },
  withReverse({
    sweep(machine, { steps }) {
      for (const step of steps) {
        if (machine.reached[step.id] === 1) pullBack(machine, step);
      }
    },
  }),
);
