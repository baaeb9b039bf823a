import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryJvp } from "../rules.ts";

export const powTangentBaseOnly: Mutant = plant(
  {
    name: "pow_tangent_base_only",
    fault: "In forward mode pow ignores the tangent of its exponent.",
    source: "F03",
  },
  withKernel("pow", { jvp: binaryJvp((xDot, _yDot, x, y) => (y === 0 ? 0 : xDot * y * x ** (y - 1))) }),
);
