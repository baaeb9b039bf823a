import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryForward } from "../rules.ts";

export const maximumOfMagnitudes: Mutant = plant(
  { name: "maximum_of_magnitudes", fault: "maximum compares magnitudes.", source: "" },
  withKernel("maximum", { forward: binaryForward((x, y) => (Math.abs(x) < Math.abs(y) ? y : x)) }),
);
