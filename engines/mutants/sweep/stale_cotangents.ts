import { type Mutant, plant, withReverse } from "../mutant.ts";

export const staleCotangents: Mutant = plant(
  {
    name: "stale_cotangents",
    fault: "Between two sweeps only the inputs' slots are emptied; the others keep what they held.",
    source: "A06",
  },
  withReverse({
    empty({ cotangents, reached }, { graph, offsets }) {
      cotangents.fill(-0, 0, offsets[graph.inputs.length]);
      reached.fill(0);
    },
  }),
);
