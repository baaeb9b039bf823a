import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";

const { max } = soundParts.composites;

export const maxTieToAll: Mutant = plant(
  {
    name: "max_tie_to_all",
    fault: "Each of several largest elements receives the whole cotangent of max.",
    source: "C20",
  },
  withExpansion("max", (scope, { axes, keepdims }, x) => {
    const largest = max.expand(scope, { axes, keepdims: true }, x).stop_gradient();
    const slopes = x.equal(largest).where(x.subtract(x.stop_gradient()), 0);
    const value = max.expand(scope, { axes, keepdims }, x).stop_gradient();
    return value.add(slopes.sum({ axes, keepdims }));
  }),
);
