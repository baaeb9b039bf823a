import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const logSoftmaxSumConstant: Mutant = plant(
  {
    name: "log_softmax_sum_constant",
    fault: "The logarithm that log_softmax subtracts counts as a constant.",
    source: "C32",
  },
  withExpansion("log_softmax", (_scope, { axis }, x) =>
    x.subtract(x.logsumexp({ axes: [axis], keepdims: true }).stop_gradient()),
  ),
);
