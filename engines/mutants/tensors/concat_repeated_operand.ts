import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const concatRepeatedOperand: Mutant = plant(
  {
    name: "concat_repeated_operand",
    fault: "A tensor that is several operands of concat receives the contribution of the last one.",
    source: "A02",
  },
  withKernel("concat", {
    vjp(machine, { out, bars, table }) {
      const [outer = 0, whole = 0, ...parts] = table;
      let start = out;
      for (const [n, part] of parts.entries()) {
        const isLast = bars.lastIndexOf(bars[n] ?? 0) === n;
        for (let i = 0; isLast && i < outer * part; i++) {
          const from = start + Math.floor(i / part) * whole + (i % part);
          contribute(machine, (bars[n] ?? 0) + i, machine.cotangents[from] ?? 0);
        }
        start += part;
      }
    },
  }),
);
