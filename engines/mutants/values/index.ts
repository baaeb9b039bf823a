import type { Mutant } from "../mutant.ts";
import { addSaturates } from "./add_saturates.ts";
import { atan2OneQuadrant } from "./atan2_one_quadrant.ts";
import { broadcastAlignedLeft } from "./broadcast_aligned_left.ts";
import { cosWrongLiteral } from "./cos_wrong_literal.ts";
import { cumulativeSumRunsOn } from "./cumulative_sum_runs_on.ts";
import { divideByReciprocal } from "./divide_by_reciprocal.ts";
import { divideGuarded } from "./divide_guarded.ts";
import { emptySumIsOne } from "./empty_sum_is_one.ts";
import { equalTellsZeros } from "./equal_tells_zeros.ts";
import { expBySeries } from "./exp_by_series.ts";
import { expClamped } from "./exp_clamped.ts";
import { expm1Cancels } from "./expm1_cancels.ts";
import { floorTruncates } from "./floor_truncates.ts";
import { fullInSingle } from "./full_in_single.ts";
import { iotaCountsElements } from "./iota_counts_elements.ts";
import { lessOrEqual } from "./less_or_equal.ts";
import { logGuarded } from "./log_guarded.ts";
import { logInSingle } from "./log_in_single.ts";
import { maskKeepsWithRate } from "./mask_keeps_with_rate.ts";
import { maskKeyHalfUsed } from "./mask_key_half_used.ts";
import { matmulTileRemainder } from "./matmul_tile_remainder.ts";
import { maximumOfMagnitudes } from "./maximum_of_magnitudes.ts";
import { multiplyInSingle } from "./multiply_in_single.ts";
import { permutedViewNotMoved } from "./permuted_view_not_moved.ts";
import { powThroughLogarithm } from "./pow_through_logarithm.ts";
import { reluCapped } from "./relu_capped.ts";
import { reshapeReadsColumns } from "./reshape_reads_columns.ts";
import { scatterOverwrites } from "./scatter_overwrites.ts";
import { sinReducedRoughly } from "./sin_reduced_roughly.ts";
import { singleInsideDouble } from "./single_inside_double.ts";
import { sqrtAsQuotient } from "./sqrt_as_quotient.ts";
import { subtractMagnitude } from "./subtract_magnitude.ts";
import { sumDropsLast } from "./sum_drops_last.ts";
import { sumFirstAxisOnly } from "./sum_first_axis_only.ts";
import { sumInSingle } from "./sum_in_single.ts";
import { takeLastEntryClamped } from "./take_last_entry_clamped.ts";
import { tanhCancels } from "./tanh_cancels.ts";
import { tanhSaturatesEarly } from "./tanh_saturates_early.ts";
import { whereAsWeightedSum } from "./where_as_weighted_sum.ts";
import { whereTakesPositive } from "./where_takes_positive.ts";

/** Faults of the values themselves: formulas, precision, index slips. */
export const valuesMutants: readonly Mutant[] = [
  addSaturates,
  atan2OneQuadrant,
  broadcastAlignedLeft,
  cosWrongLiteral,
  cumulativeSumRunsOn,
  divideByReciprocal,
  divideGuarded,
  emptySumIsOne,
  equalTellsZeros,
  expBySeries,
  expClamped,
  expm1Cancels,
  floorTruncates,
  fullInSingle,
  iotaCountsElements,
  lessOrEqual,
  logGuarded,
  logInSingle,
  maskKeepsWithRate,
  maskKeyHalfUsed,
  matmulTileRemainder,
  maximumOfMagnitudes,
  multiplyInSingle,
  permutedViewNotMoved,
  powThroughLogarithm,
  reluCapped,
  reshapeReadsColumns,
  scatterOverwrites,
  sinReducedRoughly,
  singleInsideDouble,
  sqrtAsQuotient,
  subtractMagnitude,
  sumDropsLast,
  sumFirstAxisOnly,
  sumInSingle,
  takeLastEntryClamped,
  tanhCancels,
  tanhSaturatesEarly,
  whereAsWeightedSum,
  whereTakesPositive,
];
