import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const squareSavedAsConstant: Mutant = plant(
  {
    name: "square_saved_as_constant",
    fault: "The saved operand of square is a constant, so half of the derivative is lost.",
    source: "F06",
  },
  withExpansion("square", (_scope, _attributes, x) => x.multiply(x.stop_gradient())),
);
