import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const summedAxisNotRestored: Mutant = plant(
  {
    name: "summed_axis_not_restored",
    fault: "The cotangent of a sum is expanded along the leading axes, whichever axes were summed.",
    source: "B07",
  },
  withKernel("sum", {
    vjp(machine, { out, size, xSize, xBar }) {
      for (let i = 0; i < xSize; i++)
        contribute(machine, xBar + i, machine.cotangents[out + (i % size)] ?? 0);
    },
  }),
);
