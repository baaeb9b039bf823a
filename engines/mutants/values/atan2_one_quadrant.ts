import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryForward } from "../rules.ts";

export const atan2OneQuadrant: Mutant = plant(
  {
    name: "atan2_one_quadrant",
    fault: "atan2 is the arc tangent of the quotient, which knows half of the circle.",
    source: "C28",
  },
  withKernel("atan2", { forward: binaryForward((y, x) => Math.atan(y / x)) }),
);
