import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryVjp } from "../rules.ts";

export const maximumTieShared: Mutant = plant(
  {
    name: "maximum_tie_shared",
    fault:
      "At a tie each operand of maximum receives half the cotangent, against the convention it declares.",
    source: "C20",
  },
  withKernel("maximum", {
    vjp: binaryVjp((c, x, y) => [x < y ? 0 : x === y ? c / 2 : c, x < y ? c : x === y ? c / 2 : 0]),
  }),
);
