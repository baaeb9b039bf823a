import { contribute, rounded } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const upstreamIgnored: Mutant = plant(
  {
    name: "upstream_ignored",
    fault: "tanh hands on its derivative as if the cotangent of its value were 1.",
    source: "",
  },
  withKernel("tanh", {
    vjp(machine, { out, size, xBar }) {
      for (let i = 0; i < size; i++) {
        const t = machine.values[out + i] ?? 0;
        contribute(machine, xBar + i, 1 - rounded(t * t, machine.isSingle));
      }
    },
  }),
);
