import type { Mutant } from "../mutant.ts";
import { broadcastAveraged } from "./broadcast_averaged.ts";
import { broadcastExtentOneLost } from "./broadcast_extent_one_lost.ts";
import { broadcastNewAxisLost } from "./broadcast_new_axis_lost.ts";
import { broadcastNotReduced } from "./broadcast_not_reduced.ts";
import { broadcastNotSummed } from "./broadcast_not_summed.ts";
import { concatEmptyCountsOne } from "./concat_empty_counts_one.ts";
import { concatOffset } from "./concat_offset.ts";
import { concatRepeatedOperand } from "./concat_repeated_operand.ts";
import { concatSplitAsRows } from "./concat_split_as_rows.ts";
import { concatThirdOperandLost } from "./concat_third_operand_lost.ts";
import { cumulativeSumNotReversed } from "./cumulative_sum_not_reversed.ts";
import { detNotTransposed } from "./det_not_transposed.ts";
import { gatherOverwritten } from "./gather_overwritten.ts";
import { matmulFirstBatchOnly } from "./matmul_first_batch_only.ts";
import { matmulFirstBatchReused } from "./matmul_first_batch_reused.ts";
import { matmulNotTransposed } from "./matmul_not_transposed.ts";
import { matmulRepeatedOperand } from "./matmul_repeated_operand.ts";
import { matmulRightNotTransposed } from "./matmul_right_not_transposed.ts";
import { padCotangentNotShifted } from "./pad_cotangent_not_shifted.ts";
import { padGapsIgnored } from "./pad_gaps_ignored.ts";
import { permutationNotInverted } from "./permutation_not_inverted.ts";
import { permutedViewReadInOrder } from "./permuted_view_read_in_order.ts";
import { repeatedIndexOverwritten } from "./repeated_index_overwritten.ts";
import { reshapeCotangentReversed } from "./reshape_cotangent_reversed.ts";
import { scatterClearsOperand } from "./scatter_clears_operand.ts";
import { sliceCotangentPacked } from "./slice_cotangent_packed.ts";
import { sliceOfOneLost } from "./slice_of_one_lost.ts";
import { solveMatrixConstant } from "./solve_matrix_constant.ts";
import { sumCotangentFlat } from "./sum_cotangent_flat.ts";
import { sumSharedOut } from "./sum_shared_out.ts";
import { sumToFirstOnly } from "./sum_to_first_only.ts";
import { summedAxisNotRestored } from "./summed_axis_not_restored.ts";
import { takeAlongOverwritten } from "./take_along_overwritten.ts";
import { takeCotangentGathered } from "./take_cotangent_gathered.ts";
import { takeFirstEntryPadded } from "./take_first_entry_padded.ts";
import { takeIndicesSorted } from "./take_indices_sorted.ts";
import { takeLastIndexLost } from "./take_last_index_lost.ts";

/** Faults in the reverse rules of operators that move or reduce elements. */
export const tensorsMutants: readonly Mutant[] = [
  broadcastAveraged,
  broadcastExtentOneLost,
  broadcastNewAxisLost,
  broadcastNotReduced,
  broadcastNotSummed,
  concatEmptyCountsOne,
  concatOffset,
  concatRepeatedOperand,
  concatSplitAsRows,
  concatThirdOperandLost,
  cumulativeSumNotReversed,
  detNotTransposed,
  gatherOverwritten,
  matmulFirstBatchOnly,
  matmulFirstBatchReused,
  matmulNotTransposed,
  matmulRepeatedOperand,
  matmulRightNotTransposed,
  padCotangentNotShifted,
  padGapsIgnored,
  permutationNotInverted,
  permutedViewReadInOrder,
  repeatedIndexOverwritten,
  reshapeCotangentReversed,
  scatterClearsOperand,
  sliceCotangentPacked,
  sliceOfOneLost,
  solveMatrixConstant,
  sumCotangentFlat,
  sumSharedOut,
  sumToFirstOnly,
  summedAxisNotRestored,
  takeAlongOverwritten,
  takeCotangentGathered,
  takeFirstEntryPadded,
  takeIndicesSorted,
  takeLastIndexLost,
];
