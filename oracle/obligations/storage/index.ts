import type { Obligation } from "../obligation.ts";
import { byteObligations } from "./bytes.ts";
import { dominationObligations } from "./domination.ts";
import { stepObligations } from "./step.ts";

/** States where float32 keeps tensors better than codes with a scale, what codes save, how they step. */
export function storageObligations(): readonly Obligation[] {
  return [...dominationObligations(), ...byteObligations(), ...stepObligations()];
}
