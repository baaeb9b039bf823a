import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryForward } from "../rules.ts";

/** The first nine terms of the exponential series. */
function series(x: number): number {
  let total = 1;
  for (let n = 8; n > 0; n--) total = 1 + (x / n) * total;
  return total;
}

export const expBySeries: Mutant = plant(
  {
    name: "exp_by_series",
    fault:
      "exp is a Taylor polynomial of degree eight around the nearest integer, which float32 would not tell.",
    source: "D30",
  },
  withKernel("exp", {
    forward: unaryForward((x) =>
      Number.isFinite(x) ? Math.exp(Math.round(x)) * series(x - Math.round(x)) : Math.exp(x),
    ),
  }),
);
