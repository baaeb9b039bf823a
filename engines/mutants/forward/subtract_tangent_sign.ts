import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryJvp } from "../rules.ts";

export const subtractTangentSign: Mutant = plant(
  { name: "subtract_tangent_sign", fault: "In forward mode a difference adds the tangents.", source: "F04" },
  withKernel("subtract", { jvp: binaryJvp((xDot, yDot) => xDot + yDot) }),
);
