import type { FlatTensor } from "../../../spec/index.ts";
import { type Mutant, plantAround } from "../mutant.ts";

export const secondSweepDoubles: Mutant = plantAround(
  {
    name: "second_sweep_doubles",
    fault: "From the second plain gradient on, a loaded program returns the sum of all so far.",
    source: "A06",
  },
  ({ program }) => {
    let totals: readonly FlatTensor[] | undefined;
    return {
      async vjp(point, seeds) {
        const reply = await program.vjp(point, seeds);
        if (reply.kind !== "result") return reply;
        const before = totals;
        totals = reply.value.map(({ shape, data }, n) => ({
          shape,
          data: data.map((x, i) => x + (before?.[n]?.data[i] ?? 0)),
        }));
        return { kind: "result", value: totals };
      },
    };
  },
);
