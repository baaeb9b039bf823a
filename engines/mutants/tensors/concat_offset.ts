import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const concatOffset: Mutant = plant(
  {
    name: "concat_offset",
    fault: "Every operand of concat receives the beginning of the cotangent, not its own part.",
    source: "",
  },
  withKernel("concat", {
    vjp(machine, { out, bars, table }) {
      const [outer = 0, whole = 0, ...parts] = table;
      for (const [n, part] of parts.entries()) {
        for (let i = 0; i < outer * part; i++) {
          const from = out + Math.floor(i / part) * whole + (i % part);
          contribute(machine, (bars[n] ?? 0) + i, machine.cotangents[from] ?? 0);
        }
      }
    },
  }),
);
