import { type Layout, soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

/** What was swept before. */
const swept = new WeakSet<Layout>();

export const releasedAfterLastReader: Mutant = plant(
  {
    name: "released_after_last_reader",
    fault:
      "Once an operand was handed on to, later sweeps of the loaded program find its value released, and zero.",
    source: "A21",
  },
  withReverse({
    sweep(machine, layout) {
      if (swept.has(layout)) machine.values.fill(0);
      swept.add(layout);
      soundParts.reverse.sweep(machine, layout);
    },
  }),
);
