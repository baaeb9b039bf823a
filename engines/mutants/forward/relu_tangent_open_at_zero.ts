import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryJvp } from "../rules.ts";

export const reluTangentOpenAtZero: Mutant = plant(
  {
    name: "relu_tangent_open_at_zero",
    fault: "relu's derivative at 0 is 1 in forward mode and 0 in reverse.",
    source: "C24",
  },
  withKernel("relu", { jvp: unaryJvp((xDot, x) => (0 <= x ? xDot : 0)) }),
);
