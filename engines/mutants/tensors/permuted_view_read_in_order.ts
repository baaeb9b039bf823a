import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const permutedViewReadInOrder: Mutant = plant(
  {
    name: "permuted_view_read_in_order",
    fault: "The cotangent of permute_dims is read as if it lay in the order of the operand.",
    source: "B15",
  },
  withKernel("permute_dims", {
    vjp(machine, { out, size, xBar }) {
      for (let i = 0; i < size; i++) contribute(machine, xBar + i, machine.cotangents[out + i] ?? 0);
    },
  }),
);
