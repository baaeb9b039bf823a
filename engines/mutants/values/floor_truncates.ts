import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryForward } from "../rules.ts";

export const floorTruncates: Mutant = plant(
  { name: "floor_truncates", fault: "floor rounds towards zero.", source: "" },
  withKernel("floor", { forward: unaryForward(Math.trunc) }),
);
