import { clear, contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const broadcastAveraged: Mutant = plant(
  {
    name: "broadcast_averaged",
    fault: "An element that was repeated receives the mean of its copies' cotangents instead of their sum.",
    source: "B09",
  },
  withKernel("broadcast_to", {
    vjp(machine, { out, size, xSize, xBar, table }) {
      const { cotangents, work } = machine;
      clear(cotangents, work, xSize);
      for (let i = 0; i < size; i++) contribute(machine, work + (table[i] ?? 0), cotangents[out + i] ?? 0);
      for (let i = 0; i < xSize; i++)
        contribute(machine, xBar + i, (cotangents[work + i] ?? 0) / (size / xSize));
    },
  }),
);
