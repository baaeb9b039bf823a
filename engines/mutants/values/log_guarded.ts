import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryForward } from "../rules.ts";

export const logGuarded: Mutant = plant(
  { name: "log_guarded", fault: "log adds 2⁻³⁰ to its operand, so as not to meet zero.", source: "C11" },
  withKernel("log", { forward: unaryForward((x) => Math.log(x + 2 ** -30)) }),
);
