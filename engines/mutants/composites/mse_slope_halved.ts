import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";
import { sloped } from "./sloped.ts";

const { mse } = soundParts.composites;

export const mseSlopeHalved: Mutant = plant(
  {
    name: "mse_slope_halved",
    fault: "The derivative of mse is that of half the mean square.",
    source: "G07",
  },
  withExpansion("mse", (scope, attributes, x, y) => {
    const value = mse.expand(scope, attributes, x, y);
    return sloped(value, value.divide(2));
  }),
);
