import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryJvp } from "../rules.ts";

export const reluTangentUnmasked: Mutant = plant(
  {
    name: "relu_tangent_unmasked",
    fault: "In forward mode relu hands its tangent on at every point.",
    source: "C24",
  },
  withKernel("relu", { jvp: unaryJvp((xDot) => xDot) }),
);
