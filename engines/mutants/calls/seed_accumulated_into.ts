import { type Mutant, plantAround } from "../mutant.ts";

export const seedAccumulatedInto: Mutant = plantAround(
  {
    name: "seed_accumulated_into",
    fault:
      "The caller's seed is the slot itself: whatever else arrives there is added to the caller's tensor.",
    source: "E01",
  },
  ({ program }) => ({
    async vjp(point, seeds) {
      const reply = await program.vjp(point, seeds);
      const dense = await program.backwardDense(point, seeds);
      if (dense.kind !== "result") return dense;
      for (const { id, cotangent } of seeds) cotangent.data.set(dense.value[id]?.data ?? []);
      return reply;
    },
  }),
);
