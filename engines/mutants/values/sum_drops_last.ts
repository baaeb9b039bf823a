import { clear } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const sumDropsLast: Mutant = plant(
  {
    name: "sum_drops_last",
    fault: "The value of a sum is without the operand's last element.",
    source: "",
  },
  withKernel("sum", {
    forward({ values }, { out, size, x, xSize, table }) {
      clear(values, out, size);
      for (let i = 0; i < xSize - 1; i++) {
        const position = out + (table[i] ?? 0);
        values[position] = (values[position] ?? 0) + (values[x + i] ?? 0);
      }
    },
  }),
);
