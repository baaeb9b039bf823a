import type { Obligation } from "../obligation.ts";
import { byteObligations } from "./bytes.ts";
import { dominationObligations } from "./domination.ts";

/** Where tensors are better kept as float32 numbers than as codes with a scale, and what codes save. */
export function storageObligations(): readonly Obligation[] {
  return [...dominationObligations(), ...byteObligations()];
}
