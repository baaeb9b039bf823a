import { madeAll } from "../made.ts";
import type { Obligation } from "../obligation.ts";
import { needObligations } from "./needs.ts";
import { policyObligations } from "./policies.ts";
import { policyRunObligations } from "./policy_runs.ts";
import { writeObligations } from "./writes.ts";

/** States what holds of programs with memory: writes, policies of tapes, and what a tape keeps of a node. */
export function programObligations(): readonly Obligation[] {
  return [
    ...writeObligations,
    ...policyObligations,
    ...madeAll("programs/runs", policyRunObligations),
    ...madeAll("programs/needs", needObligations),
  ];
}
