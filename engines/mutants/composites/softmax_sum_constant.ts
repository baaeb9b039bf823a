import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const softmaxSumConstant: Mutant = plant(
  { name: "softmax_sum_constant", fault: "The denominator of softmax counts as a constant.", source: "D28" },
  withExpansion("softmax", (_scope, { axis }, x) => {
    const powers = x.exp();
    return powers.divide(powers.sum({ axes: [axis], keepdims: true }).stop_gradient());
  }),
);
