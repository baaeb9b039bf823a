import type { Mutant } from "../mutant.ts";
import { addRepeatedOperand } from "./add_repeated_operand.ts";
import { asinSlopeNotSquared } from "./asin_slope_not_squared.ts";
import { asinhOddBySign } from "./asinh_odd_by_sign.ts";
import { atanSlopeAtResult } from "./atan_slope_at_result.ts";
import { atan2OperandsSwapped } from "./atan2_operands_swapped.ts";
import { cosSevered } from "./cos_severed.ts";
import { cosSignLost } from "./cos_sign_lost.ts";
import { coshSlopeSign } from "./cosh_slope_sign.ts";
import { divideNotSquared } from "./divide_not_squared.ts";
import { divideSlopeGuarded } from "./divide_slope_guarded.ts";
import { erfSlopeUnscaled } from "./erf_slope_unscaled.ts";
import { expSlopeAtOperand } from "./exp_slope_at_operand.ts";
import { floorStraightThrough } from "./floor_straight_through.ts";
import { hypotSlopeNotDivided } from "./hypot_slope_not_divided.ts";
import { logClearsCotangent } from "./log_clears_cotangent.ts";
import { logSlopeGuarded } from "./log_slope_guarded.ts";
import { log1pSlopeOfLog } from "./log1p_slope_of_log.ts";
import { log2SlopeNatural } from "./log2_slope_natural.ts";
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
import { powExponentAtZeroBase } from "./pow_exponent_at_zero_base.ts";
import { powExponentZero } from "./pow_exponent_zero.ts";
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
import { tanSlopeAtOperand } from "./tan_slope_at_operand.ts";
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
  asinSlopeNotSquared,
  asinhOddBySign,
  atan2OperandsSwapped,
  atanSlopeAtResult,
  cosSevered,
  cosSignLost,
  coshSlopeSign,
  divideNotSquared,
  divideSlopeGuarded,
  erfSlopeUnscaled,
  expSlopeAtOperand,
  floorStraightThrough,
  hypotSlopeNotDivided,
  log1pSlopeOfLog,
  log2SlopeNatural,
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
  powExponentAtZeroBase,
  powExponentZero,
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
  tanSlopeAtOperand,
  tanhSlopeAtOperand,
  tanhSlopeFitted,
  tanhSlopeNotSquared,
  tanhSlopeThroughCosh,
  upstreamIgnored,
  whereBranchesSwapped,
  whereConditionDifferentiated,
  whereMasksByProduct,
];
