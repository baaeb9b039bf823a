import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryForward } from "../rules.ts";

export const expClamped: Mutant = plant(
  { name: "exp_clamped", fault: "exp clamps its operand at 4, so as not to overflow.", source: "C15" },
  withKernel("exp", { forward: unaryForward((x) => Math.exp(Math.min(x, 4))) }),
);
