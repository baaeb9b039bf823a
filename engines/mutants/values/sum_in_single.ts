import { clear } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const sumInSingle: Mutant = plant(
  { name: "sum_in_single", fault: "Sums are accumulated in float32.", source: "G06" },
  withKernel("sum", {
    forward({ values }, { out, size, x, xSize, table }) {
      clear(values, out, size);
      for (let i = 0; i < xSize; i++) {
        const position = out + (table[i] ?? 0);
        values[position] = Math.fround((values[position] ?? 0) + (values[x + i] ?? 0));
      }
    },
  }),
);
