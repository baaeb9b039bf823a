import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const maximumTieToBoth: Mutant = plant(
  {
    name: "maximum_tie_to_both",
    fault:
      "At a tie both operands of maximum receive the whole cotangent, against the convention it declares.",
    source: "C19",
  },
  withKernel("maximum", {
    vjp(machine, { out, size, x, y, xBar, yBar }) {
      const { values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const c = cotangents[out + i] ?? 0;
        const xi = values[x + i] ?? 0;
        const yi = values[y + i] ?? 0;
        contribute(machine, xBar + i, xi < yi ? 0 : c);
        contribute(machine, yBar + i, xi <= yi ? c : 0);
      }
    },
  }),
);
