import { contribute } from "../../interpreter/index.ts";
import { type Mutant, plant, withKernel } from "../mutant.ts";

export const whereMasksByProduct: Mutant = plant(
  {
    name: "where_masks_by_product",
    fault: "where multiplies the cotangent by masks of ones and zeros, and 0 · ∞ is NaN.",
    source: "C01",
  },
  withKernel("where", {
    vjp(machine, { out, size, x: condition, yBar: xBar, zBar: yBar }) {
      for (let i = 0; i < size; i++) {
        const c = machine.cotangents[out + i] ?? 0;
        const mask = machine.values[condition + i] === 0 ? 0 : 1;
        contribute(machine, xBar + i, c * mask);
        contribute(machine, yBar + i, c * (1 - mask));
      }
    },
  }),
);
