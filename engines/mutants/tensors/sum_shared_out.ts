import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const sumSharedOut: Mutant = plant(
  {
    name: "sum_shared_out",
    fault: "The cotangent of a sum is divided by the number of elements summed, as if it were a mean.",
    source: "B08",
  },
  withKernel("sum", {
    vjp(machine, { out, size, xSize, xBar, table }) {
      for (let i = 0; i < xSize; i++) {
        contribute(machine, xBar + i, (machine.cotangents[out + (table[i] ?? 0)] ?? 0) / (xSize / size));
      }
    },
  }),
);
