import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const permutationNotInverted: Mutant = plant(
  {
    name: "permutation_not_inverted",
    fault: "permute_dims pulls back with the permutation itself instead of its inverse.",
    source: "B12",
  },
  withKernel("permute_dims", {
    vjp(machine, { out, size, xBar, table }) {
      for (let i = 0; i < size; i++) {
        contribute(machine, xBar + i, machine.cotangents[out + (table[i] ?? 0)] ?? 0);
      }
    },
  }),
);
