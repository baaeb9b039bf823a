import type { Obligation } from "../obligation.ts";
import { needObligations } from "./needs.ts";
import { policyObligations } from "./policies.ts";
import { writeObligations } from "./writes.ts";

/** What holds of programs with memory: writes, the policies of tapes, and what a tape keeps of a node. */
export function programObligations(): readonly Obligation[] {
  return [...writeObligations, ...policyObligations, ...needObligations()];
}
