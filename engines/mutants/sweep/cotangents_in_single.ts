import { allocate } from "../../interpreter/index.ts";
import { type Mutant, plant } from "../mutant.ts";

export const cotangentsInSingle: Mutant = plant(
  {
    name: "cotangents_in_single",
    fault: "Cotangents are kept in float32 while values are float64.",
    source: "A20",
  },
  {
    allocate(extents, dtype) {
      const machine = allocate(extents, dtype);
      return { ...machine, cotangents: new Float32Array(machine.cotangents.length) };
    },
  },
);
