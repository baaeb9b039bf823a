import type { Obligation } from "../obligation.ts";
import { compressedObligations } from "./compressed.ts";
import { slotObligations } from "./slots.ts";

/** States what holds of tape systems: slots of a schedule, and what a compressed tape owes. */
export function tapeSystemObligations(): readonly Obligation[] {
  return [...slotObligations, ...compressedObligations()];
}
