import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const inputsInOrderOfUse: Mutant = plant(
  {
    name: "inputs_in_order_of_use",
    fault:
      "The cotangents of inputs of one shape are returned in the order in which the nodes first read them.",
    source: "A15",
  },
  withReverse({
    finish(machine, layout) {
      soundParts.reverse.finish(machine, layout);
      const { graph, shapes, offsets } = layout;
      const reads = [...new Set(graph.nodes.flatMap(({ parents }) => parents))].filter(
        (id) => id < graph.inputs.length,
      );
      const found = machine.cotangents.slice();
      for (const shape of new Set(reads.map((id) => `${shapes[id]}`))) {
        const inOrder = reads.filter((id) => `${shapes[id]}` === shape);
        for (const [n, id] of inOrder.toSorted((a, b) => a - b).entries()) {
          const from = inOrder[n] ?? 0;
          machine.cotangents.set(found.subarray(offsets[from], offsets[from + 1]), offsets[id]);
        }
      }
    },
  }),
);
