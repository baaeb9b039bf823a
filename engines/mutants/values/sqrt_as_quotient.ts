import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryForward } from "../rules.ts";

export const sqrtAsQuotient: Mutant = plant(
  { name: "sqrt_as_quotient", fault: "sqrt is computed as x · (1/√x), which is NaN at 0.", source: "C05" },
  withKernel("sqrt", { forward: unaryForward((x) => x * (1 / Math.sqrt(x))) }),
);
