import type { Mutant } from "../mutant.ts";
import { absSlopeAtZero } from "./abs_slope_at_zero.ts";
import { attentionNotScaled } from "./attention_not_scaled.ts";
import { avgPoolDivisorInReverse } from "./avg_pool_divisor_in_reverse.ts";
import { batchNormEvalOfBatch } from "./batch_norm_eval_of_batch.ts";
import { batchNormTrainMeanConstant } from "./batch_norm_train_mean_constant.ts";
import { clipClosedAtBounds } from "./clip_closed_at_bounds.ts";
import { convKernelConstant } from "./conv_kernel_constant.ts";
import { convKernelFlipped } from "./conv_kernel_flipped.ts";
import { convPaddingSidesSwapped } from "./conv_padding_sides_swapped.ts";
import { copysignOfMagnitude } from "./copysign_of_magnitude.ts";
import { crossEntropySummed } from "./cross_entropy_summed.ts";
import { cumulativeProdThroughLogarithms } from "./cumulative_prod_through_logarithms.ts";
import { dropoutMaskForgotten } from "./dropout_mask_forgotten.ts";
import { dropoutNotRescaled } from "./dropout_not_rescaled.ts";
import { eluWithoutAlpha } from "./elu_without_alpha.ts";
import { flipCotangentNotFlipped } from "./flip_cotangent_not_flipped.ts";
import { geluByLogistic } from "./gelu_by_logistic.ts";
import { groupNormOneGroup } from "./group_norm_one_group.ts";
import { klDivOfZero } from "./kl_div_of_zero.ts";
import { layerNormMeanConstant } from "./layer_norm_mean_constant.ts";
import { leakyReluMaskedByResult } from "./leaky_relu_masked_by_result.ts";
import { lessEqualStrict } from "./less_equal_strict.ts";
import { logSoftmaxSumConstant } from "./log_softmax_sum_constant.ts";
import { logaddexpFirstOnly } from "./logaddexp_first_only.ts";
import { logicalOrAdded } from "./logical_or_added.ts";
import { maxPoolCotangentOfAverage } from "./max_pool_cotangent_of_average.ts";
import { maxTieToAll } from "./max_tie_to_all.ts";
import { meanByAllElements } from "./mean_by_all_elements.ts";
import { minimumTieToSecond } from "./minimum_tie_to_second.ts";
import { mseSlopeHalved } from "./mse_slope_halved.ts";
import { normGuarded } from "./norm_guarded.ts";
import { prodThroughLogarithms } from "./prod_through_logarithms.ts";
import { remainderDivisorDropped } from "./remainder_divisor_dropped.ts";
import { remainderOfTruncation } from "./remainder_of_truncation.ts";
import { rollOtherWay } from "./roll_other_way.ts";
import { roundHalfUp } from "./round_half_up.ts";
import { sigmoidSlopeIsValue } from "./sigmoid_slope_is_value.ts";
import { siluGateConstant } from "./silu_gate_constant.ts";
import { softmaxSumConstant } from "./softmax_sum_constant.ts";
import { softplusThreshold } from "./softplus_threshold.ts";
import { sortCotangentInPlace } from "./sort_cotangent_in_place.ts";
import { squareSavedAsConstant } from "./square_saved_as_constant.ts";
import { traceOffsetIgnored } from "./trace_offset_ignored.ts";
import { trilCotangentLeaks } from "./tril_cotangent_leaks.ts";
import { triuOneBelow } from "./triu_one_below.ts";
import { varWithoutCorrection } from "./var_without_correction.ts";

/** Faults in the operators that are defined by an expansion. */
export const compositesMutants: readonly Mutant[] = [
  absSlopeAtZero,
  attentionNotScaled,
  avgPoolDivisorInReverse,
  batchNormEvalOfBatch,
  batchNormTrainMeanConstant,
  clipClosedAtBounds,
  convKernelConstant,
  convKernelFlipped,
  convPaddingSidesSwapped,
  copysignOfMagnitude,
  crossEntropySummed,
  cumulativeProdThroughLogarithms,
  dropoutMaskForgotten,
  dropoutNotRescaled,
  eluWithoutAlpha,
  flipCotangentNotFlipped,
  geluByLogistic,
  groupNormOneGroup,
  klDivOfZero,
  layerNormMeanConstant,
  leakyReluMaskedByResult,
  lessEqualStrict,
  logSoftmaxSumConstant,
  logaddexpFirstOnly,
  logicalOrAdded,
  maxPoolCotangentOfAverage,
  maxTieToAll,
  meanByAllElements,
  minimumTieToSecond,
  mseSlopeHalved,
  normGuarded,
  prodThroughLogarithms,
  remainderDivisorDropped,
  remainderOfTruncation,
  rollOtherWay,
  roundHalfUp,
  sigmoidSlopeIsValue,
  siluGateConstant,
  softmaxSumConstant,
  softplusThreshold,
  sortCotangentInPlace,
  squareSavedAsConstant,
  traceOffsetIgnored,
  trilCotangentLeaks,
  triuOneBelow,
  varWithoutCorrection,
];
