import { ascendingOrder } from "./ascending_order.ts";
import { broadcastNotSummed } from "./broadcast_not_summed.ts";
import { concatOffset } from "./concat_offset.ts";
import { cosSignLost } from "./cos_sign_lost.ts";
import { divideTangentSign } from "./divide_tangent_sign.ts";
import { equalInputsMerged } from "./equal_inputs_merged.ts";
import { fanOutOverwritten } from "./fan_out_overwritten.ts";
import { firstBranchOnly } from "./first_branch_only.ts";
import { firstSeedOnly } from "./first_seed_only.ts";
import { interiorFreed } from "./interior_freed.ts";
import { matmulNotTransposed } from "./matmul_not_transposed.ts";
import { maximumTieToBoth } from "./maximum_tie_to_both.ts";
import type { Mutant } from "./mutant.ts";
import { operandClobbered } from "./operand_clobbered.ts";
import { operandDropped } from "./operand_dropped.ts";
import { operandsSwapped } from "./operands_swapped.ts";
import { permutationNotInverted } from "./permutation_not_inverted.ts";
import { productTangentDropped } from "./product_tangent_dropped.ts";
import { reluMaskedByCotangent } from "./relu_masked_by_cotangent.ts";
import { reluOpenAtZero } from "./relu_open_at_zero.ts";
import { repeatedIndexOverwritten } from "./repeated_index_overwritten.ts";
import { repeatedOperandOnce } from "./repeated_operand_once.ts";
import { seedOverwritten } from "./seed_overwritten.ts";
import { singleInsideDouble } from "./single_inside_double.ts";
import { sqrtNotHalved } from "./sqrt_not_halved.ts";
import { staleCotangents } from "./stale_cotangents.ts";
import { stopGradientLeaks } from "./stop_gradient_leaks.ts";
import { sumDropsLast } from "./sum_drops_last.ts";
import { summedAxisNotRestored } from "./summed_axis_not_restored.ts";
import { sweptOncePerUse } from "./swept_once_per_use.ts";
import { unusedInputGarbage } from "./unused_input_garbage.ts";
import { upstreamIgnored } from "./upstream_ignored.ts";

export type { Mutant } from "./mutant.ts";

/**
 * The mutants, one fault each: first of the sweep, then of single rules, in reverse and in forward mode, then
 * of the arithmetic. A judge that lets one pass is not a judge.
 */
export const mutants: readonly Mutant[] = [
  fanOutOverwritten,
  repeatedOperandOnce,
  sweptOncePerUse,
  firstBranchOnly,
  staleCotangents,
  equalInputsMerged,
  ascendingOrder,
  seedOverwritten,
  firstSeedOnly,
  unusedInputGarbage,
  interiorFreed,
  operandDropped,
  operandsSwapped,
  upstreamIgnored,
  operandClobbered,
  stopGradientLeaks,
  sqrtNotHalved,
  cosSignLost,
  reluMaskedByCotangent,
  reluOpenAtZero,
  maximumTieToBoth,
  broadcastNotSummed,
  summedAxisNotRestored,
  sumDropsLast,
  permutationNotInverted,
  concatOffset,
  repeatedIndexOverwritten,
  matmulNotTransposed,
  divideTangentSign,
  productTangentDropped,
  singleInsideDouble,
];
