import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";

const { sort } = soundParts.composites;

export const sortCotangentInPlace: Mutant = plant(
  {
    name: "sort_cotangent_in_place",
    fault: "The cotangent of sort goes to the positions of the sorted elements, not to those they came from.",
    source: "D23",
  },
  withExpansion("sort", (scope, attributes, x) =>
    sort.expand(scope, attributes, x).stop_gradient().add(x.subtract(x.stop_gradient())),
  ),
);
