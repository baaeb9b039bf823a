import { type Arena, type Layout, sizeAt, soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

/** The inputs, as ids, in groups of equal shape and equal elements. */
function groupsOf({ graph, shapes, offsets }: Layout, values: Arena): number[][] {
  const groups = new Map<string, number[]>();
  for (const id of graph.inputs.keys()) {
    const offset = offsets[id] ?? 0;
    const key = `${shapes[id]}: ${values.subarray(offset, offset + sizeAt(offsets, id))}`;
    groups.set(key, [...(groups.get(key) ?? []), id]);
  }
  return [...groups.values()];
}

export const equalInputsMerged: Mutant = plant(
  {
    name: "equal_inputs_merged",
    fault: "Gradients are kept by value, so inputs of one shape with equal elements share the sum of theirs.",
    source: "A07",
  },
  withReverse({
    finish(machine, layout) {
      soundParts.reverse.finish(machine, layout);
      const { values, cotangents } = machine;
      for (const group of groupsOf(layout, values)) {
        const offsets = group.map((id) => layout.offsets[id] ?? 0);
        for (let i = 0; i < sizeAt(layout.offsets, group[0] ?? 0); i++) {
          const total = offsets.reduce((sum, offset) => sum + (cotangents[offset + i] ?? 0), 0);
          for (const offset of offsets) cotangents[offset + i] = total;
        }
      }
    },
  }),
);
