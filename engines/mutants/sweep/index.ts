import type { Mutant } from "../mutant.ts";
import { activityOfAllOperands } from "./activity_of_all_operands.ts";
import { activityOfFirstOperand } from "./activity_of_first_operand.ts";
import { ascendingOrder } from "./ascending_order.ts";
import { contributionsAveraged } from "./contributions_averaged.ts";
import { cotangentOverwritesAlias } from "./cotangent_overwrites_alias.ts";
import { cotangentsClipped } from "./cotangents_clipped.ts";
import { cotangentsInSingle } from "./cotangents_in_single.ts";
import { equalInputsMerged } from "./equal_inputs_merged.ts";
import { fanOutOverwritten } from "./fan_out_overwritten.ts";
import { firstBranchOnly } from "./first_branch_only.ts";
import { firstNodeNotSwept } from "./first_node_not_swept.ts";
import { firstSeedOnly } from "./first_seed_only.ts";
import { inputSeedTwice } from "./input_seed_twice.ts";
import { inputsInOrderOfUse } from "./inputs_in_order_of_use.ts";
import { interiorFreed } from "./interior_freed.ts";
import { laterSeedIgnored } from "./later_seed_ignored.ts";
import { releasedAfterLastReader } from "./released_after_last_reader.ts";
import { seedFirstElement } from "./seed_first_element.ts";
import { seedOfOnes } from "./seed_of_ones.ts";
import { seedOverwritten } from "./seed_overwritten.ts";
import { smallCotangentsDropped } from "./small_cotangents_dropped.ts";
import { staleCotangents } from "./stale_cotangents.ts";
import { staleInputs } from "./stale_inputs.ts";
import { sweepGivesUp } from "./sweep_gives_up.ts";
import { sweptOncePerUse } from "./swept_once_per_use.ts";
import { thirdReaderLost } from "./third_reader_lost.ts";
import { unreachedInheritsSeed } from "./unreached_inherits_seed.ts";
import { unusedInputGarbage } from "./unused_input_garbage.ts";
import { zeroFirstElementStops } from "./zero_first_element_stops.ts";

/** Faults of the reverse sweep as a whole: accumulation, order, seeds, memory. */
export const sweepMutants: readonly Mutant[] = [
  activityOfAllOperands,
  activityOfFirstOperand,
  ascendingOrder,
  contributionsAveraged,
  cotangentOverwritesAlias,
  cotangentsClipped,
  cotangentsInSingle,
  equalInputsMerged,
  fanOutOverwritten,
  firstBranchOnly,
  firstNodeNotSwept,
  firstSeedOnly,
  inputSeedTwice,
  inputsInOrderOfUse,
  interiorFreed,
  laterSeedIgnored,
  releasedAfterLastReader,
  seedFirstElement,
  seedOfOnes,
  seedOverwritten,
  smallCotangentsDropped,
  staleCotangents,
  staleInputs,
  sweepGivesUp,
  sweptOncePerUse,
  thirdReaderLost,
  unreachedInheritsSeed,
  unusedInputGarbage,
  zeroFirstElementStops,
];
