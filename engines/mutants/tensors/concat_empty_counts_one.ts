import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const concatEmptyCountsOne: Mutant = plant(
  {
    name: "concat_empty_counts_one",
    fault: "In the reverse rule of concat an operand without elements counts as one element long.",
    source: "B20",
  },
  withKernel("concat", {
    vjp(machine, { out, size, bars, table }) {
      const [outer = 0, whole = 0, ...parts] = table;
      let start = 0;
      for (const [n, part] of parts.entries()) {
        for (let i = 0; i < outer * part; i++) {
          const from = Math.min(start + Math.floor(i / part) * whole + (i % part), size - 1);
          contribute(machine, (bars[n] ?? 0) + i, machine.cotangents[out + from] ?? 0);
        }
        start += Math.max(part, 1);
      }
    },
  }),
);
