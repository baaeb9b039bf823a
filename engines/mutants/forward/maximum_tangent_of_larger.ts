import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryJvp } from "../rules.ts";

export const maximumTangentOfLarger: Mutant = plant(
  {
    name: "maximum_tangent_of_larger",
    fault: "In forward mode the tangent of maximum is the larger tangent, not that of the larger operand.",
    source: "F04",
  },
  withKernel("maximum", { jvp: binaryJvp((xDot, yDot) => (xDot < yDot ? yDot : xDot)) }),
);
