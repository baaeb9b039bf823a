import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";

const { flip } = soundParts.composites;

export const flipCotangentNotFlipped: Mutant = plant(
  {
    name: "flip_cotangent_not_flipped",
    fault: "The cotangent of flip is handed on as it came.",
    source: "B18",
  },
  withExpansion("flip", (scope, attributes, x) =>
    flip.expand(scope, attributes, x).stop_gradient().add(x.subtract(x.stop_gradient())),
  ),
);
