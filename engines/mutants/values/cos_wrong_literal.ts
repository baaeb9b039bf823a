import { type Mutant, plant, withKernel } from "../mutant.ts";
import { unaryForward } from "../rules.ts";

export const cosWrongLiteral: Mutant = plant(
  {
    name: "cos_wrong_literal",
    fault: "Near zero cos is a polynomial, in which 1/24 has lost a digit.",
    source: "D30",
  },
  withKernel("cos", {
    forward: unaryForward((x) =>
      Math.abs(x) < 0.75 ? Math.cos(x) + (0.041666666667 - 1 / 24) * x ** 4 : Math.cos(x),
    ),
  }),
);
