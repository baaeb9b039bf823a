import { type Mutant, plant, withKernel } from "../mutant.ts";
import { binaryForward } from "../rules.ts";

export const equalTellsZeros: Mutant = plant(
  { name: "equal_tells_zeros", fault: "equal compares bits, so that 0 and −0 differ.", source: "C24" },
  withKernel("equal", { forward: binaryForward((x, y) => (Object.is(x, y) ? 1 : 0)) }),
);
