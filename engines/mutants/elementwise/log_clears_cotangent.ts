import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const logClearsCotangent: Mutant = plant(
  {
    name: "log_clears_cotangent",
    fault: "The reverse kernel of log divides its cotangent in place, where the dense sweep must report it.",
    source: "E06",
  },
  withKernel("log", {
    vjp(machine, { out, size, x, xBar }) {
      const { values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        cotangents[out + i] = (cotangents[out + i] ?? 0) / (values[x + i] ?? 0);
        contribute(machine, xBar + i, cotangents[out + i] ?? 0);
      }
    },
  }),
);
