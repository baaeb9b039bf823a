import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const inputSeedTwice: Mutant = plant(
  {
    name: "input_seed_twice",
    fault: "A seed on an input is put in before the sweep and added once more after it.",
    source: "A08",
  },
  withReverse({
    plant(machine, layout, seeds) {
      const twice = seeds.map(({ id, cotangent: { shape, data } }) => {
        const factor = id < layout.graph.inputs.length ? 2 : 1;
        return { id, cotangent: { shape, data: data.map((c) => c * factor) } };
      });
      soundParts.reverse.plant(machine, layout, twice);
    },
  }),
);
