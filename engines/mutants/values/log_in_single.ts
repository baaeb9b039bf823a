import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryForward } from "../rules.ts";

export const logInSingle: Mutant = plant(
  { name: "log_in_single", fault: "The value of log is computed in float32.", source: "A20" },
  withKernel("log", { forward: unaryForward((x) => Math.fround(Math.log(x))) }),
);
