import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryJvp } from "../rules.ts";

export const logTangentMultiplied: Mutant = plant(
  {
    name: "log_tangent_multiplied",
    fault: "In forward mode the tangent of log is multiplied by the operand instead of divided.",
    source: "F04",
  },
  withKernel("log", { jvp: unaryJvp((xDot, x) => xDot * x) }),
);
