import { pullBack } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const activityOfAllOperands: Mutant = plant(
  {
    name: "activity_of_all_operands",
    fault: "A node counts as constant if one of its operands does.",
    source: "A18",
  },
  withReverse({
    sweep(machine, { graph, steps }) {
      const isActive = graph.inputs.map(() => true);
      for (const { op, parents } of graph.nodes)
        isActive.push(op !== "constant" && parents.every((id) => isActive[id]));
      for (const step of steps.toReversed()) {
        if (machine.reached[step.id] === 1 && isActive[step.id]) pullBack(machine, step);
      }
    },
  }),
);
