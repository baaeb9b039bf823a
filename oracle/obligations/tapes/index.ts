import { madeAll } from "../made.ts";
import type { Obligation } from "../obligation.ts";
import { compressedObligations } from "./compressed.ts";
import { lineObligations } from "./lines.ts";
import { slotObligations } from "./slots.ts";
import { systemObligations } from "./systems.ts";

/**
 * States what holds of tape systems: of each as it runs, of a schedule's slots, of a compressed tape's debt.
 */
export function tapeSystemObligations(): readonly Obligation[] {
  return [
    ...systemObligations(),
    ...madeAll("tapes/lines/pruned", lineObligations),
    ...slotObligations,
    ...compressedObligations(),
  ];
}
