import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const laterSeedIgnored: Mutant = plant(
  {
    name: "later_seed_ignored",
    fault: "Only a seed at the last node is put in: an engine with one output.",
    source: "A17",
  },
  withReverse({
    plant(machine, layout, seeds) {
      const last = layout.shapes.length - 1;
      soundParts.reverse.plant(
        machine,
        layout,
        seeds.filter(({ id }) => id === last),
      );
    },
  }),
);
