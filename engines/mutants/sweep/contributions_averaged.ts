import { type NodeId, nodeId } from "../../../spec/index.ts";
import { type Machine, pullBack } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

function average({ cotangents }: Machine, offsets: readonly number[], id: number, count: number): void {
  for (let i = offsets[id] ?? 0; i < (offsets[id + 1] ?? 0); i++)
    cotangents[i] = (cotangents[i] ?? 0) / count;
}

export const contributionsAveraged: Mutant = plant(
  {
    name: "contributions_averaged",
    fault: "The contributions of a node's readers are averaged instead of added.",
    source: "A08",
  },
  withReverse({
    sweep(machine, { graph, steps, offsets }) {
      const readers = new Map<NodeId, number>();
      for (const step of steps.toReversed()) {
        if (machine.reached[step.id] === 0) continue;
        average(machine, offsets, step.id, readers.get(step.id) ?? 1);
        pullBack(machine, step);
        for (const id of new Set(step.receivers)) readers.set(id, (readers.get(id) ?? 0) + 1);
      }
      for (const id of graph.inputs.keys()) average(machine, offsets, id, readers.get(nodeId(id)) ?? 1);
    },
  }),
);
