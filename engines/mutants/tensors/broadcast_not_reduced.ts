import { clear, contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const broadcastNotReduced: Mutant = plant(
  {
    name: "broadcast_not_reduced",
    fault: "An element that was repeated receives the cotangent of its first copy instead of the sum.",
    source: "B06",
  },
  withKernel("broadcast_to", {
    vjp(machine, { out, size, xSize, xBar, table }) {
      const { cotangents, work } = machine;
      clear(cotangents, work, xSize);
      for (let i = size - 1; i >= 0; i--) cotangents[work + (table[i] ?? 0)] = cotangents[out + i] ?? 0;
      for (let i = 0; i < xSize; i++) contribute(machine, xBar + i, cotangents[work + i] ?? 0);
    },
  }),
);
