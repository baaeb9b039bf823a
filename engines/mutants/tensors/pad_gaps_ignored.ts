import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const padGapsIgnored: Mutant = plant(
  { name: "pad_gaps_ignored", fault: "The cotangent of pad is read without its gaps.", source: "D05" },
  withKernel("pad", {
    vjp(machine, { out, xBar, table }) {
      const first = table[0] ?? 0;
      for (const i of table.keys()) contribute(machine, xBar + i, machine.cotangents[out + first + i] ?? 0);
    },
  }),
);
