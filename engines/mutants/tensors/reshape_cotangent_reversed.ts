import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const reshapeCotangentReversed: Mutant = plant(
  {
    name: "reshape_cotangent_reversed",
    fault: "reshape hands its cotangent on from the last element to the first.",
    source: "B15",
  },
  withKernel("reshape", {
    vjp(machine, { out, size, xBar }) {
      for (let i = 0; i < size; i++)
        contribute(machine, xBar + i, machine.cotangents[out + size - 1 - i] ?? 0);
    },
  }),
);
