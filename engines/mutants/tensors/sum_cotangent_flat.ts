import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const sumCotangentFlat: Mutant = plant(
  {
    name: "sum_cotangent_flat",
    fault: "The elements summed into one receive the cotangent as if they lay next to each other.",
    source: "B07",
  },
  withKernel("sum", {
    vjp(machine, { out, size, xSize, xBar }) {
      for (let i = 0; i < xSize; i++) {
        contribute(machine, xBar + i, machine.cotangents[out + Math.floor((i * size) / xSize)] ?? 0);
      }
    },
  }),
);
