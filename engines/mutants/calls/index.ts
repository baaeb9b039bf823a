import type { Mutant } from "../mutant.ts";
import { environmentOfTheFirstCall } from "./environment_of_the_first_call.ts";
import { firstTangentOnly } from "./first_tangent_only.ts";
import { forwardModeInSingle } from "./forward_mode_in_single.ts";
import { inputSeedIgnored } from "./input_seed_ignored.ts";
import { operandOrderIgnored } from "./operand_order_ignored.ts";
import { recomputedInSingle } from "./recomputed_in_single.ts";
import { resultBufferReused } from "./result_buffer_reused.ts";
import { sameOperandsMerged } from "./same_operands_merged.ts";
import { secondSweepDoubles } from "./second_sweep_doubles.ts";
import { seedAccumulatedInto } from "./seed_accumulated_into.ts";
import { seedMaskOfOnes } from "./seed_mask_of_ones.ts";
import { tangentOfOnes } from "./tangent_of_ones.ts";
import { valuesOfTheFirstCall } from "./values_of_the_first_call.ts";

/** Faults around a sound core: what a call is given, what it returns, what an optimisation makes of the graph. */
export const callsMutants: readonly Mutant[] = [
  environmentOfTheFirstCall,
  firstTangentOnly,
  forwardModeInSingle,
  inputSeedIgnored,
  operandOrderIgnored,
  recomputedInSingle,
  resultBufferReused,
  sameOperandsMerged,
  secondSweepDoubles,
  seedAccumulatedInto,
  seedMaskOfOnes,
  tangentOfOnes,
  valuesOfTheFirstCall,
];
