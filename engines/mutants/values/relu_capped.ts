import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryForward } from "../rules.ts";

export const reluCapped: Mutant = plant(
  { name: "relu_capped", fault: "relu is capped at 6.", source: "C22" },
  withKernel("relu", { forward: unaryForward((x) => (0 < x ? Math.min(x, 6) : 0)) }),
);
