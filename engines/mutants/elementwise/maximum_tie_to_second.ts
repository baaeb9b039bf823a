import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryVjp } from "../rules.ts";

export const maximumTieToSecond: Mutant = plant(
  {
    name: "maximum_tie_to_second",
    fault:
      "At a tie the second operand of maximum receives the cotangent, against the convention it declares.",
    source: "C19",
  },
  withKernel("maximum", { vjp: binaryVjp((c, x, y) => [y < x ? c : 0, y < x ? 0 : c]) }),
);
