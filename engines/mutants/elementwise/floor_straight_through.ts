import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryVjp } from "../rules.ts";

export const floorStraightThrough: Mutant = plant(
  {
    name: "floor_straight_through",
    fault: "floor hands its cotangent on as if it were the identity.",
    source: "A19",
  },
  withKernel("floor", { firstReceiver: 0, vjp: unaryVjp((c) => c) }),
);
