import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const sumToFirstOnly: Mutant = plant(
  {
    name: "sum_to_first_only",
    fault: "Of the elements that were summed only the first receives the cotangent.",
    source: "B01",
  },
  withKernel("sum", {
    vjp(machine, { out, xBar, table }) {
      const served = new Set<number>();
      for (const [i, position] of table.entries()) {
        contribute(machine, xBar + i, served.has(position) ? 0 : (machine.cotangents[out + position] ?? 0));
        served.add(position);
      }
    },
  }),
);
