import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryForward } from "../rules.ts";

export const expm1Cancels: Mutant = plant(
  {
    name: "expm1_cancels",
    fault: "expm1 is computed as eˣ − 1, which loses its digits near zero.",
    source: "C30",
  },
  withKernel("expm1", { forward: unaryForward((x) => Math.exp(x) - 1) }),
);
