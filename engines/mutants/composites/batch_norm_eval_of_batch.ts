import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const batchNormEvalOfBatch: Mutant = plant(
  {
    name: "batch_norm_eval_of_batch",
    fault: "batch_norm_eval normalises with the statistics of the batch, not with those given.",
    source: "D11",
  },
  withExpansion("batch_norm_eval", (_scope, attributes, x, scale, offset) =>
    x.batch_norm_train(scale, offset, attributes),
  ),
);
