import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryVjp } from "../rules.ts";

export const hypotSlopeNotDivided: Mutant = plant(
  {
    name: "hypot_slope_not_divided",
    fault: "The operands of hypot receive c·x and c·y, as those of half the square of it would.",
    source: "C04",
  },
  withKernel("hypot", { vjp: binaryVjp((c, x, y) => [c * x, c * y]) }),
);
