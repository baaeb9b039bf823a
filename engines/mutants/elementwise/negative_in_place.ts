import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const negativeInPlace: Mutant = plant(
  {
    name: "negative_in_place",
    fault: "The reverse kernel of negative turns the sign of its cotangent in place before it hands it on.",
    source: "E06",
  },
  withKernel("negative", {
    vjp(machine, { out, size, xBar }) {
      const { cotangents } = machine;
      for (let i = 0; i < size; i++) {
        cotangents[out + i] = -(cotangents[out + i] ?? 0);
        contribute(machine, xBar + i, cotangents[out + i] ?? 0);
      }
    },
  }),
);
