import type { Mutant } from "../mutant.ts";
import { addRepeatedOperand } from "./add_repeated_operand.ts";
import { cosSevered } from "./cos_severed.ts";
import { cosSignLost } from "./cos_sign_lost.ts";
import { divideNotSquared } from "./divide_not_squared.ts";
import { divideSlopeGuarded } from "./divide_slope_guarded.ts";
import { expSlopeAtOperand } from "./exp_slope_at_operand.ts";
import { logClearsCotangent } from "./log_clears_cotangent.ts";
import { logSlopeGuarded } from "./log_slope_guarded.ts";
import { maximumMasksByProduct } from "./maximum_masks_by_product.ts";
import { maximumTieShared } from "./maximum_tie_shared.ts";
import { maximumTieToBoth } from "./maximum_tie_to_both.ts";
import { maximumTieToNeither } from "./maximum_tie_to_neither.ts";
import { maximumTieToSecond } from "./maximum_tie_to_second.ts";
import { multiplyByOwnOperand } from "./multiply_by_own_operand.ts";
import { multiplyByTheQuotient } from "./multiply_by_the_quotient.ts";
import { multiplyZeroProduct } from "./multiply_zero_product.ts";
import { negativeInPlace } from "./negative_in_place.ts";
import { operandClobbered } from "./operand_clobbered.ts";
import { operandDropped } from "./operand_dropped.ts";
import { operandsSwapped } from "./operands_swapped.ts";
import { reluLeaks } from "./relu_leaks.ts";
import { reluMaskInverted } from "./relu_mask_inverted.ts";
import { reluMaskedByCotangent } from "./relu_masked_by_cotangent.ts";
import { reluMasksByProduct } from "./relu_masks_by_product.ts";
import { reluOpenAtZero } from "./relu_open_at_zero.ts";
import { repeatedOperandOnce } from "./repeated_operand_once.ts";
import { sinSlopeAtResult } from "./sin_slope_at_result.ts";
import { sqrtNotHalved } from "./sqrt_not_halved.ts";
import { sqrtSlopeAtOperand } from "./sqrt_slope_at_operand.ts";
import { sqrtSlopeGuarded } from "./sqrt_slope_guarded.ts";
import { stopGradientLeaks } from "./stop_gradient_leaks.ts";
import { subtractSignLost } from "./subtract_sign_lost.ts";
import { tanhSlopeAtOperand } from "./tanh_slope_at_operand.ts";
import { tanhSlopeFitted } from "./tanh_slope_fitted.ts";
import { tanhSlopeNotSquared } from "./tanh_slope_not_squared.ts";
import { tanhSlopeThroughCosh } from "./tanh_slope_through_cosh.ts";
import { upstreamIgnored } from "./upstream_ignored.ts";
import { whereBranchesSwapped } from "./where_branches_swapped.ts";
import { whereConditionDifferentiated } from "./where_condition_differentiated.ts";
import { whereMasksByProduct } from "./where_masks_by_product.ts";

/** Faults in the reverse rules of elementwise operators: slopes, kinks, ties, masks. */
export const elementwiseMutants: readonly Mutant[] = [
  addRepeatedOperand,
  cosSevered,
  cosSignLost,
  divideNotSquared,
  divideSlopeGuarded,
  expSlopeAtOperand,
  logClearsCotangent,
  logSlopeGuarded,
  maximumMasksByProduct,
  maximumTieShared,
  maximumTieToBoth,
  maximumTieToNeither,
  maximumTieToSecond,
  multiplyByOwnOperand,
  multiplyByTheQuotient,
  multiplyZeroProduct,
  negativeInPlace,
  operandClobbered,
  operandDropped,
  operandsSwapped,
  reluLeaks,
  reluMaskInverted,
  reluMaskedByCotangent,
  reluMasksByProduct,
  reluOpenAtZero,
  repeatedOperandOnce,
  sinSlopeAtResult,
  sqrtNotHalved,
  sqrtSlopeAtOperand,
  sqrtSlopeGuarded,
  stopGradientLeaks,
  subtractSignLost,
  tanhSlopeAtOperand,
  tanhSlopeFitted,
  tanhSlopeNotSquared,
  tanhSlopeThroughCosh,
  upstreamIgnored,
  whereBranchesSwapped,
  whereConditionDifferentiated,
  whereMasksByProduct,
];
