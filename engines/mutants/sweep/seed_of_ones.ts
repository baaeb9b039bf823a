import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const seedOfOnes: Mutant = plant(
  { name: "seed_of_ones", fault: "Whatever the seed, ones are pulled back.", source: "A17" },
  withReverse({
    plant(machine, layout, seeds) {
      const ones = seeds.map(({ id, cotangent: { shape, data } }) => ({
        id,
        cotangent: { shape, data: data.map(() => 1) },
      }));
      soundParts.reverse.plant(machine, layout, ones);
    },
  }),
);
