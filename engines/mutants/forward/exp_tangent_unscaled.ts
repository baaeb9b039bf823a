import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryJvp } from "../rules.ts";

export const expTangentUnscaled: Mutant = plant(
  {
    name: "exp_tangent_unscaled",
    fault: "In forward mode the tangent of exp is its operand's, without the factor exp x.",
    source: "",
  },
  withKernel("exp", { jvp: unaryJvp((xDot) => xDot) }),
);
