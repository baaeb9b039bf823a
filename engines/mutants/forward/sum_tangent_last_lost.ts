import { clear } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const sumTangentLastLost: Mutant = plant(
  {
    name: "sum_tangent_last_lost",
    fault: "In forward mode a sum leaves out the tangent of the last element.",
    source: "",
  },
  withKernel("sum", {
    jvp({ tangents }, { out, size, x, xSize, table }) {
      clear(tangents, out, size);
      for (let i = 0; i < xSize - 1; i++) {
        const position = out + (table[i] ?? 0);
        tangents[position] = (tangents[position] ?? 0) + (tangents[x + i] ?? 0);
      }
    },
  }),
);
