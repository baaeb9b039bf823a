import { allocate } from "../../interpreter/index.ts";
import { type Mutant, plant } from "../mutant.ts";

export const tangentsInSingle: Mutant = plant(
  {
    name: "tangents_in_single",
    fault: "Tangents are kept in float32 while values are float64.",
    source: "A20",
  },
  {
    allocate(extents, dtype) {
      const machine = allocate(extents, dtype);
      return { ...machine, tangents: new Float32Array(machine.tangents.length) };
    },
  },
);
