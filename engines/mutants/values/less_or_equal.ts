import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryForward } from "../rules.ts";

export const lessOrEqual: Mutant = plant(
  { name: "less_or_equal", fault: "less is 1 at a tie.", source: "C22" },
  withKernel("less", { forward: binaryForward((x, y) => (x <= y ? 1 : 0)) }),
);
