import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const concatSplitAsRows: Mutant = plant(
  {
    name: "concat_split_as_rows",
    fault:
      "The cotangent of concat is cut into runs as if the operands followed one another, whatever the axis.",
    source: "B12",
  },
  withKernel("concat", {
    vjp(machine, { out, bars, table }) {
      const [outer = 0, , ...parts] = table;
      let from = out;
      for (const [n, part] of parts.entries()) {
        for (let i = 0; i < outer * part; i++)
          contribute(machine, (bars[n] ?? 0) + i, machine.cotangents[from++] ?? 0);
      }
    },
  }),
);
