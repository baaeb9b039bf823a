import { clear, contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const repeatedIndexOverwritten: Mutant = plant(
  {
    name: "repeated_index_overwritten",
    fault: "An entry that was taken several times receives the cotangent of the last time only.",
    source: "D18",
  },
  withKernel("take", {
    vjp(machine, { out, xSize, xBar, table }) {
      const { indices, cotangents, work } = machine;
      const [first = 0, outer = 0, extent = 0, count = 0, inner = 0] = table;
      clear(cotangents, work, xSize);
      for (let o = 0; o < outer; o++) {
        for (let j = 0; j < count; j++) {
          const from = out + (o * count + j) * inner;
          const to = work + (o * extent + (indices[first + j] ?? 0)) * inner;
          for (let i = 0; i < inner; i++) cotangents[to + i] = cotangents[from + i] ?? 0;
        }
      }
      for (let i = 0; i < xSize; i++) contribute(machine, xBar + i, cotangents[work + i] ?? 0);
    },
  }),
);
