import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const tanhSlopeNotSquared: Mutant = plant(
  { name: "tanh_slope_not_squared", fault: "The derivative of tanh is 1 − t instead of 1 − t².", source: "" },
  withKernel("tanh", { vjp: unaryVjp((c, _x, t) => c * (1 - t)) }),
);
