import { sizeAt, soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const unusedInputGarbage: Mutant = plant(
  {
    name: "unused_input_garbage",
    fault: "The cotangent of an input that nothing reached is whatever memory held: here, the input's value.",
    source: "A15",
  },
  withReverse({
    finish(machine, layout) {
      soundParts.reverse.finish(machine, layout);
      const { values, cotangents, reached } = machine;
      for (const id of layout.graph.inputs.keys()) {
        const offset = layout.offsets[id] ?? 0;
        const end = offset + sizeAt(layout.offsets, id);
        if (reached[id] === 0) cotangents.set(values.subarray(offset, end), offset);
      }
    },
  }),
);
