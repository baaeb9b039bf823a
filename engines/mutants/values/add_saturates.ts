import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryForward } from "../rules.ts";

export const addSaturates: Mutant = plant(
  {
    name: "add_saturates",
    fault: "A sum is clamped to ±16, the range of a small accumulator.",
    source: "D04",
  },
  withKernel("add", { forward: binaryForward((x, y) => Math.min(Math.max(x + y, -16), 16)) }),
);
