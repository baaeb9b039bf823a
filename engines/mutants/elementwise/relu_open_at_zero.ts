import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const reluOpenAtZero: Mutant = plant(
  {
    name: "relu_open_at_zero",
    fault: "relu's derivative at 0 is 1, against the convention it declares.",
    source: "C22",
  },
  withKernel("relu", {
    vjp(machine, { out, size, x, xBar }) {
      const { values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        contribute(machine, xBar + i, (values[x + i] ?? 0) >= 0 ? (cotangents[out + i] ?? 0) : 0);
      }
    },
  }),
);
