import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const firstSeedOnly: Mutant = plant(
  {
    name: "first_seed_only",
    fault: "Of several seeds only the first is put in.",
    source: "",
  },
  withReverse({
    plant(machine, layout, seeds) {
      soundParts.reverse.plant(machine, layout, seeds.slice(0, 1));
    },
  }),
);
