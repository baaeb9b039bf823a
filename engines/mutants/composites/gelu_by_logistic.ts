import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const geluByLogistic: Mutant = plant(
  { name: "gelu_by_logistic", fault: "gelu is approximated as x · sigmoid(1.702 x).", source: "D29" },
  withExpansion("gelu", (_scope, _attributes, x) => x.multiply(x.multiply(1.702).sigmoid())),
);
