import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const operandDropped: Mutant = plant(
  {
    name: "operand_dropped",
    fault: "The second operand of a product receives no cotangent.",
    source: "",
  },
  withKernel("multiply", {
    vjp(machine, { out, size, y, xBar }) {
      const { values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        contribute(machine, xBar + i, (cotangents[out + i] ?? 0) * (values[y + i] ?? 0));
      }
    },
  }),
);
