import { type Mutant, plantAround } from "../mutant.ts";

export const recomputedInSingle: Mutant = plantAround(
  {
    name: "recomputed_in_single",
    fault: "Before a sweep the values are computed once more, in float32, and so is the sweep.",
    source: "D17",
  },
  ({ again }) => ({
    async vjp(point, seeds) {
      const single = await again("float32");
      return single.kind === "result" ? single.value.vjp(point, seeds) : single;
    },
  }),
);
