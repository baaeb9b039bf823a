import { pullBack } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const activityOfFirstOperand: Mutant = plant(
  {
    name: "activity_of_first_operand",
    fault: "A node counts as constant if its first operand does not depend on an input.",
    source: "C40",
  },
  withReverse({
    sweep(machine, { graph, steps }) {
      const isActive = graph.inputs.map(() => true);
      for (const { parents } of graph.nodes) isActive.push(isActive[parents[0] ?? -1] ?? false);
      for (const step of steps.toReversed()) {
        if (machine.reached[step.id] === 1 && isActive[step.id]) pullBack(machine, step);
      }
    },
  }),
);
