import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const takeLastIndexLost: Mutant = plant(
  {
    name: "take_last_index_lost",
    fault: "The reverse rule of take ends before the last index.",
    source: "D21",
  },
  withKernel("take", {
    vjp(machine, { out, xBar, table }) {
      const [first = 0, outer = 0, extent = 0, count = 0, inner = 0] = table;
      for (let o = 0; o < outer; o++) {
        for (let j = 0; j < count - 1; j++) {
          const to = xBar + (o * extent + (machine.indices[first + j] ?? 0)) * inner;
          const from = out + (o * count + j) * inner;
          for (let i = 0; i < inner; i++) contribute(machine, to + i, machine.cotangents[from + i] ?? 0);
        }
      }
    },
  }),
);
