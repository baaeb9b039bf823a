import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryVjp } from "../rules.ts";

export const maximumTieToNeither: Mutant = plant(
  {
    name: "maximum_tie_to_neither",
    fault: "At a tie neither operand of maximum receives a cotangent.",
    source: "C23",
  },
  withKernel("maximum", { vjp: binaryVjp((c, x, y) => [y < x ? c : 0, x < y ? c : 0]) }),
);
