import { clear, contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const takeAlongOverwritten: Mutant = plant(
  {
    name: "take_along_overwritten",
    fault: "An element that take_along_axis read several times receives the cotangent of the last time only.",
    source: "D18",
  },
  withKernel("take_along_axis", {
    vjp({ indices, ...machine }, { out, size, xSize, xBar, table }) {
      const { cotangents, work } = machine;
      const [first = 0, stride = 0] = table;
      clear(cotangents, work, xSize);
      for (let i = 0; i < size; i++) {
        const position = work + (table[i + 2] ?? 0) + (indices[first + i] ?? 0) * stride;
        cotangents[position] = cotangents[out + i] ?? 0;
      }
      for (let i = 0; i < xSize; i++)
        contribute({ indices, ...machine }, xBar + i, cotangents[work + i] ?? 0);
    },
  }),
);
