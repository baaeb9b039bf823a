import { type CaseProfile, tensorProfile } from "../../oracle/generate/index.ts";
import type { NetworkName } from "../../oracle/generate/network_composites.ts";

/** Makes the profile of cases of one composite and what it needs to find operands. */
export function networkProfile(op: NetworkName): CaseProfile {
  return {
    ...tensorProfile,
    name: op,
    operators: [op, "constant", "reshape"],
    nodes: [1, 8],
    maximumRank: 5,
    maximumElements: 48,
    maximumDegree: Number.POSITIVE_INFINITY,
  };
}
