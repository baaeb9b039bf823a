import { allocate } from "../../interpreter/index.ts";
import { type Mutant, plant } from "../mutant.ts";

export const singleInsideDouble: Mutant = plant(
  {
    name: "single_inside_double",
    fault: "Whatever precision is asked for, everything is computed in float32.",
    source: "",
  },
  { allocate: (extents) => allocate(extents, "float32") },
);
