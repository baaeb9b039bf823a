import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const cotangentsClipped: Mutant = plant(
  {
    name: "cotangents_clipped",
    fault: "The cotangents of inputs are clipped to the range from −100 to 100.",
    source: "",
  },
  withReverse({
    finish(machine, layout) {
      soundParts.reverse.finish(machine, layout);
      const { cotangents } = machine;
      const end = layout.offsets[layout.graph.inputs.length] ?? 0;
      for (let i = 0; i < end; i++) cotangents[i] = Math.min(Math.max(cotangents[i] ?? 0, -100), 100);
    },
  }),
);
