import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const takeCotangentGathered: Mutant = plant(
  {
    name: "take_cotangent_gathered",
    fault: "The cotangent of take is gathered at the indices where it must be scattered.",
    source: "D19",
  },
  withKernel("take", {
    vjp({ indices, ...machine }, { out, xBar, table }) {
      const [first = 0, outer = 0, extent = 0, count = 0, inner = 0] = table;
      for (let i = 0; count > 0 && i < outer * extent * inner; i++) {
        const [o, j] = [Math.floor(i / (extent * inner)), Math.floor(i / inner) % extent];
        const from = (o * count + ((indices[first + (j % count)] ?? 0) % count)) * inner + (i % inner);
        contribute({ indices, ...machine }, xBar + i, machine.cotangents[out + from] ?? 0);
      }
    },
  }),
);
