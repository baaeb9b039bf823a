import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const sliceCotangentPacked: Mutant = plant(
  {
    name: "slice_cotangent_packed",
    fault: "The cotangent of a slice is put back without gaps, whatever its steps.",
    source: "B18",
  },
  withKernel("slice", {
    vjp(machine, { out, size, xBar, table }) {
      const first = table.reduce((least, position) => Math.min(least, position), table[0] ?? 0);
      for (let i = 0; i < size; i++) contribute(machine, xBar + first + i, machine.cotangents[out + i] ?? 0);
    },
  }),
);
