import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withReverse } from "../mutant.ts";

export const smallCotangentsDropped: Mutant = plant(
  {
    name: "small_cotangents_dropped",
    fault: "A cotangent below 2⁻²⁰ in magnitude is reported as zero.",
    source: "",
  },
  withReverse({
    finish(machine, layout) {
      soundParts.reverse.finish(machine, layout);
      const { cotangents, work } = machine;
      for (let i = 0; i < work; i++) if (Math.abs(cotangents[i] ?? 0) < 2 ** -20) cotangents[i] = 0;
    },
  }),
);
