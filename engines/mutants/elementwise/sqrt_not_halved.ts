import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const sqrtNotHalved: Mutant = plant(
  {
    name: "sqrt_not_halved",
    fault: "The derivative of sqrt is 1/√x instead of 1/(2·√x).",
    source: "",
  },
  withKernel("sqrt", {
    vjp(machine, { out, size, xBar }) {
      const { values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        contribute(machine, xBar + i, (cotangents[out + i] ?? 0) / (values[out + i] ?? 0));
      }
    },
  }),
);
