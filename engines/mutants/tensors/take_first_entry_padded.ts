import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const takeFirstEntryPadded: Mutant = plant(
  {
    name: "take_first_entry_padded",
    fault: "Entry 0 of the operand of take is taken for padding and receives no cotangent.",
    source: "D21",
  },
  withKernel("take", {
    vjp(machine, { out, xBar, table }) {
      const [first = 0, outer = 0, extent = 0, count = 0, inner = 0] = table;
      for (let row = 0; row < outer * count; row++) {
        const index = machine.indices[first + (row % count)] ?? 0;
        const to = xBar + (Math.floor(row / count) * extent + index) * inner;
        for (let i = 0; index > 0 && i < inner; i++) {
          contribute(machine, to + i, machine.cotangents[out + row * inner + i] ?? 0);
        }
      }
    },
  }),
);
