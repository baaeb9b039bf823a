import type { Mutant } from "../mutant.ts";
import { absSlopeAtZero } from "./abs_slope_at_zero.ts";
import { clipClosedAtBounds } from "./clip_closed_at_bounds.ts";
import { copysignOfMagnitude } from "./copysign_of_magnitude.ts";
import { eluWithoutAlpha } from "./elu_without_alpha.ts";
import { geluByLogistic } from "./gelu_by_logistic.ts";
import { leakyReluMaskedByResult } from "./leaky_relu_masked_by_result.ts";
import { lessEqualStrict } from "./less_equal_strict.ts";
import { logaddexpFirstOnly } from "./logaddexp_first_only.ts";
import { logicalOrAdded } from "./logical_or_added.ts";
import { minimumTieToSecond } from "./minimum_tie_to_second.ts";
import { remainderDivisorDropped } from "./remainder_divisor_dropped.ts";
import { remainderOfTruncation } from "./remainder_of_truncation.ts";
import { roundHalfUp } from "./round_half_up.ts";
import { sigmoidSlopeIsValue } from "./sigmoid_slope_is_value.ts";
import { siluGateConstant } from "./silu_gate_constant.ts";
import { softplusThreshold } from "./softplus_threshold.ts";
import { squareSavedAsConstant } from "./square_saved_as_constant.ts";

/** Faults in the operators that are defined by an expansion. */
export const compositesMutants: readonly Mutant[] = [
  absSlopeAtZero,
  clipClosedAtBounds,
  copysignOfMagnitude,
  eluWithoutAlpha,
  geluByLogistic,
  leakyReluMaskedByResult,
  lessEqualStrict,
  logaddexpFirstOnly,
  logicalOrAdded,
  minimumTieToSecond,
  remainderDivisorDropped,
  remainderOfTruncation,
  roundHalfUp,
  sigmoidSlopeIsValue,
  siluGateConstant,
  softplusThreshold,
  squareSavedAsConstant,
];
