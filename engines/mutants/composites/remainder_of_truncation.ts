import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const remainderOfTruncation: Mutant = plant(
  { name: "remainder_of_truncation", fault: "remainder has the sign of its first operand.", source: "" },
  withExpansion("remainder", (scope, _attributes, x, y) => {
    const quotient = x.divide(y);
    const whole = quotient.abs().floor();
    return x.subtract(scope.where(quotient.less(0), whole.negative(), whole).multiply(y));
  }),
);
