import { stridesOf } from "../../../spec/index.ts";
import { positionsOf } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const reshapeReadsColumns: Mutant = plant(
  { name: "reshape_reads_columns", fault: "reshape reads a matrix column by column.", source: "B15" },
  withKernel("reshape", {
    prepare({ parents: [x = []] }) {
      const [rows = 0, columns = 0] = x;
      if (x.length !== 2) return positionsOf(x, stridesOf(x));
      return positionsOf([columns, rows], [1, columns]);
    },
    forward({ values }, { out, size, x, table }) {
      for (let i = 0; i < size; i++) values[out + i] = values[x + (table[i] ?? 0)] ?? 0;
    },
  }),
);
