import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";
import { sloped } from "./sloped.ts";

const { avg_pool: avgPool } = soundParts.composites;

export const avgPoolDivisorInReverse: Mutant = plant(
  {
    name: "avg_pool_divisor_in_reverse",
    fault: "avg_pool divides by the whole window in reverse, also where a window is clipped.",
    source: "D01",
  },
  withExpansion("avg_pool", (scope, attributes, x) =>
    sloped(
      avgPool.expand(scope, attributes, x),
      avgPool.expand(scope, { ...attributes, count_include_pad: true }, x),
    ),
  ),
);
