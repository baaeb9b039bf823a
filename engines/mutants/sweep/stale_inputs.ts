import { type Mutant, plant, withReverse } from "../mutant.ts";

export const staleInputs: Mutant = plant(
  {
    name: "stale_inputs",
    fault:
      "The cotangents of the inputs are not emptied between sweeps, as if every sweep were part of one sum.",
    source: "A06",
  },
  withReverse({
    empty({ cotangents, reached, work }, { graph, offsets }) {
      cotangents.fill(-0, offsets[graph.inputs.length] ?? 0, work);
      reached.fill(0);
    },
  }),
);
