import type { Obligation } from "../obligation.ts";
import { byteObligations } from "./bytes.ts";
import { dominationObligations } from "./domination.ts";

/** States where float32 keeps tensors better than codes with a scale, and what codes save. */
export function storageObligations(): readonly Obligation[] {
  return [...dominationObligations(), ...byteObligations()];
}
