import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

const { take } = soundParts.kernels;

export const takeIndicesSorted: Mutant = plant(
  {
    name: "take_indices_sorted",
    fault: "The reverse rule of take scatters as if the indices were in ascending order.",
    source: "D23",
  },
  withKernel("take", {
    vjp(machine, step) {
      const [first = 0, , , count = 0] = step.table;
      const indices = machine.indices.slice();
      indices.subarray(first, first + count).sort();
      take.vjp({ ...machine, indices }, step);
    },
  }),
);
