import type { NodeId } from "../../../spec/index.ts";
import { pullBack } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const firstBranchOnly: Mutant = plant(
  {
    name: "first_branch_only",
    fault: "Nodes are swept depth first and once, so what a second branch brings later goes no further.",
    source: "A05",
  },
  withReverse({
    sweep(machine, { graph, steps }) {
      const pending: NodeId[] = steps.map(({ id }) => id).filter((id) => machine.reached[id] === 1);
      const visited = new Set<NodeId>();
      for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
        const step = steps[id - graph.inputs.length];
        if (step === undefined || visited.has(id)) continue;
        visited.add(id);
        pullBack(machine, step);
        for (const receiver of step.receivers) pending.push(receiver);
      }
    },
  }),
);
