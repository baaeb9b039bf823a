import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryJvp } from "../rules.ts";

export const stopGradientTangentLeaks: Mutant = plant(
  {
    name: "stop_gradient_tangent_leaks",
    fault: "Forward mode takes stop_gradient for the identity.",
    source: "F05",
  },
  withKernel("stop_gradient", { jvp: unaryJvp((xDot) => xDot) }),
);
