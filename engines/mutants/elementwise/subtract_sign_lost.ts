import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryVjp } from "../rules.ts";

export const subtractSignLost: Mutant = plant(
  {
    name: "subtract_sign_lost",
    fault: "The second operand of a difference receives the cotangent with the sign of the first.",
    source: "",
  },
  withKernel("subtract", { vjp: binaryVjp((c) => [c, c]) }),
);
