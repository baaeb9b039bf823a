import { contribute, rounded } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const cosSignLost: Mutant = plant(
  {
    name: "cos_sign_lost",
    fault: "The derivative of cos is sin instead of −sin.",
    source: "",
  },
  withKernel("cos", {
    vjp(machine, { out, size, x, xBar }) {
      const { isSingle, values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const sine = rounded(Math.sin(values[x + i] ?? 0), isSingle);
        contribute(machine, xBar + i, (cotangents[out + i] ?? 0) * sine);
      }
    },
  }),
);
