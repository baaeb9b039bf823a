import { blockAt } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const scatterOverwrites: Mutant = plant(
  {
    name: "scatter_overwrites",
    fault: "Of several updates of one place scatter_add keeps the last.",
    source: "B19",
  },
  withKernel("scatter_add", {
    forward({ indices, values }, { out, size, x, y, table }) {
      const [, rows = 0, inner = 0] = table;
      values.copyWithin(out, x, x + size);
      for (let row = 0; row < rows; row++) {
        const at = blockAt(indices, table, row);
        for (let i = 0; i < inner; i++) {
          values[out + at + i] = (values[x + at + i] ?? 0) + (values[y + row * inner + i] ?? 0);
        }
      }
    },
  }),
);
