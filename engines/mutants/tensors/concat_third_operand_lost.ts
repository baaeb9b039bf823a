import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const concatThirdOperandLost: Mutant = plant(
  {
    name: "concat_third_operand_lost",
    fault: "concat hands its cotangent on to two operands; a third receives nothing.",
    source: "A18",
  },
  withKernel("concat", {
    vjp(machine, { out, bars, table }) {
      const [outer = 0, whole = 0, ...parts] = table;
      let start = out;
      for (const [n, part] of parts.entries()) {
        for (let i = 0; n < 2 && i < outer * part; i++) {
          const from = start + Math.floor(i / part) * whole + (i % part);
          contribute(machine, (bars[n] ?? 0) + i, machine.cotangents[from] ?? 0);
        }
        start += part;
      }
    },
  }),
);
