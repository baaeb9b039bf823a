import { activityOfFirstOperandInPlan } from "./activity_of_first_operand.ts";
import { appliedAfterSum } from "./applied_after_sum.ts";
import { constantsMerged } from "./constants_merged.ts";
import { convCotangentsUndilated } from "./conv_cotangents_undilated.ts";
import { copyWithoutBase } from "./copy_without_base.ts";
import { differenceFromPositiveZero } from "./difference_from_positive_zero.ts";
import { differenceUnordered } from "./difference_unordered.ts";
import { hoistedOutOfFold } from "./hoisted_out_of_fold.ts";
import { indexNotCompared } from "./index_not_compared.ts";
import { innerOffsetForgotten } from "./inner_offset_forgotten.ts";
import { lastRoundLost } from "./last_round_lost.ts";
import { levelOfFirstOperand } from "./level_of_first_operand.ts";
import { lifeEndsEarly } from "./life_ends_early.ts";
import { lookupLostInFusion } from "./lookup_lost_in_fusion.ts";
import { maxCotangentToAll } from "./max_cotangent_to_all.ts";
import { nodesMergedInAnyOrder } from "./nodes_merged_in_any_order.ts";
import { offsetLostInFusion } from "./offset_lost_in_fusion.ts";
import { offsetNotCompared } from "./offset_not_compared.ts";
import { partAddedToItself } from "./part_added_to_itself.ts";
import { partOverwritten } from "./part_overwritten.ts";
import { permutedInPlace } from "./permuted_in_place.ts";
import { pieceOfOneDropped } from "./piece_of_one_dropped.ts";
import type { PlanMutant } from "./plan_mutant.ts";
import { positiveZeroIsNeutral } from "./positive_zero_is_neutral.ts";
import { readAgainInPlace } from "./read_again_in_place.ts";
import { recomputedFromTheDead } from "./recomputed_from_the_dead.ts";
import { resultsNotKept } from "./results_not_kept.ts";
import { sameProductTwice } from "./same_product_twice.ts";
import { scatterBaseUnread } from "./scatter_base_unread.ts";
import { secondProductLost } from "./second_product_lost.ts";
import { signIntoWrongOperand } from "./sign_into_wrong_operand.ts";
import { signsOfZerosMerged } from "./signs_of_zeros_merged.ts";
import { stridedViewReshaped } from "./strided_view_reshaped.ts";
import { zeroMinusNumber } from "./zero_minus_number.ts";

export type { PlanMutant } from "./plan_mutant.ts";

/** The mutants of the planner and of the JavaScript backend, in the order of the rewrites: one fault each, in a compiled engine that is sound else. */
export const planMutants: readonly PlanMutant[] = [
  activityOfFirstOperandInPlan,
  pieceOfOneDropped,
  scatterBaseUnread,
  differenceUnordered,
  indexNotCompared,
  offsetNotCompared,
  signsOfZerosMerged,
  innerOffsetForgotten,
  stridedViewReshaped,
  lookupLostInFusion,
  offsetLostInFusion,
  appliedAfterSum,
  hoistedOutOfFold,
  lifeEndsEarly,
  resultsNotKept,
  permutedInPlace,
  readAgainInPlace,
  copyWithoutBase,
  recomputedFromTheDead,
  differenceFromPositiveZero,
  signIntoWrongOperand,
  positiveZeroIsNeutral,
  zeroMinusNumber,
  levelOfFirstOperand,
  lastRoundLost,
  partAddedToItself,
  partOverwritten,
  constantsMerged,
  nodesMergedInAnyOrder,
  sameProductTwice,
  secondProductLost,
  convCotangentsUndilated,
  maxCotangentToAll,
];
