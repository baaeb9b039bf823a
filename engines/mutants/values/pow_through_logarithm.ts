import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryForward } from "../rules.ts";

export const powThroughLogarithm: Mutant = plant(
  {
    name: "pow_through_logarithm",
    fault: "pow is computed as exp(y · log x), which is NaN for a negative base.",
    source: "C09",
  },
  withKernel("pow", { forward: binaryForward((x, y) => Math.exp(y * Math.log(x))) }),
);
