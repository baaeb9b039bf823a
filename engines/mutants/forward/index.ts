import type { Mutant } from "../mutant.ts";
import { broadcastTangentOnce } from "./broadcast_tangent_once.ts";
import { concatTangentReversed } from "./concat_tangent_reversed.ts";
import { divideTangentSign } from "./divide_tangent_sign.ts";
import { expRoundedForReaders } from "./exp_rounded_for_readers.ts";
import { expTangentUnscaled } from "./exp_tangent_unscaled.ts";
import { logTangentMultiplied } from "./log_tangent_multiplied.ts";
import { matmulTangentDropped } from "./matmul_tangent_dropped.ts";
import { maximumTangentOfLarger } from "./maximum_tangent_of_larger.ts";
import { permutationTangentInverse } from "./permutation_tangent_inverse.ts";
import { powTangentBaseOnly } from "./pow_tangent_base_only.ts";
import { productTangentDropped } from "./product_tangent_dropped.ts";
import { reluTangentOpenAtZero } from "./relu_tangent_open_at_zero.ts";
import { reluTangentUnmasked } from "./relu_tangent_unmasked.ts";
import { stopGradientTangentLeaks } from "./stop_gradient_tangent_leaks.ts";
import { subtractTangentSign } from "./subtract_tangent_sign.ts";
import { sumTangentLastLost } from "./sum_tangent_last_lost.ts";
import { takeTangentFromStart } from "./take_tangent_from_start.ts";
import { tangentsInSingle } from "./tangents_in_single.ts";
import { whereTangentUnconditional } from "./where_tangent_unconditional.ts";

/** Faults of forward mode. */
export const forwardMutants: readonly Mutant[] = [
  broadcastTangentOnce,
  concatTangentReversed,
  divideTangentSign,
  expRoundedForReaders,
  expTangentUnscaled,
  logTangentMultiplied,
  matmulTangentDropped,
  maximumTangentOfLarger,
  permutationTangentInverse,
  powTangentBaseOnly,
  productTangentDropped,
  reluTangentOpenAtZero,
  reluTangentUnmasked,
  stopGradientTangentLeaks,
  subtractTangentSign,
  sumTangentLastLost,
  takeTangentFromStart,
  tangentsInSingle,
  whereTangentUnconditional,
];
