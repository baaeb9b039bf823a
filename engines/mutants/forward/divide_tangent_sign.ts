import { rounded } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const divideTangentSign: Mutant = plant(
  {
    name: "divide_tangent_sign",
    fault: "In forward mode the divisor's tangent raises the quotient instead of lowering it.",
    source: "F04",
  },
  withKernel("divide", {
    jvp({ isSingle, values, tangents }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        const rise = rounded((values[out + i] ?? 0) * (tangents[y + i] ?? 0), isSingle);
        tangents[out + i] = rounded((tangents[x + i] ?? 0) + rise, isSingle) / (values[y + i] ?? 0);
      }
    },
  }),
);
