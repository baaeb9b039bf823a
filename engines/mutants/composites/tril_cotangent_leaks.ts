import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";

const { tril } = soundParts.composites;

export const trilCotangentLeaks: Mutant = plant(
  {
    name: "tril_cotangent_leaks",
    fault: "The elements that tril replaces by zeros receive a cotangent.",
    source: "C37",
  },
  withExpansion("tril", (scope, attributes, x) =>
    tril.expand(scope, attributes, x).stop_gradient().add(x.subtract(x.stop_gradient())),
  ),
);
