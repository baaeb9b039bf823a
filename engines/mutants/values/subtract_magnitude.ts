import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryForward } from "../rules.ts";

export const subtractMagnitude: Mutant = plant(
  { name: "subtract_magnitude", fault: "A difference is taken without its sign.", source: "" },
  withKernel("subtract", { forward: binaryForward((x, y) => Math.abs(x - y)) }),
);
