import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const seedFirstElement: Mutant = plant(
  {
    name: "seed_first_element",
    fault: "A seed is taken for a scalar: its first element stands for all.",
    source: "A24",
  },
  withReverse({
    plant(machine, layout, seeds) {
      const scalars = seeds.map(({ id, cotangent: { shape, data } }) => ({
        id,
        cotangent: { shape, data: data.map(() => data[0] ?? 0) },
      }));
      soundParts.reverse.plant(machine, layout, scalars);
    },
  }),
);
