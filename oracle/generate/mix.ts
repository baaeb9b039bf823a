import { at } from "../../spec/shapes/index.ts";
import type { Case } from "../case/index.ts";
import { caseAt } from "./campaign.ts";
import {
  arrangingProfile,
  broadProfile,
  type CaseProfile,
  chainProfile,
  cornersProfile,
  crowdProfile,
  deepProfile,
  edgesProfile,
  fusedProfile,
  kinkProfile,
  lengthsProfile,
  longProfile,
  nestedProfile,
  networkProfile,
  pairProfile,
  ranksProfile,
  reachProfile,
  tensorProfile,
  windowsProfile,
} from "./profile.ts";

/** The cases are drawn from these profiles in turn. */
const turns: readonly CaseProfile[] = [
  tensorProfile,
  pairProfile,
  kinkProfile,
  pairProfile,
  networkProfile,
  pairProfile,
  arrangingProfile,
];

/** A profile here replaces the turn in case `from` and every `every`-th after it; the first match counts. */
const interruptions: readonly {
  readonly profile: CaseProfile;
  readonly every: number;
  readonly from: number;
}[] = [
  { profile: deepProfile, every: 400, from: 279 },
  { profile: chainProfile, every: 40, from: 39 },
  { profile: longProfile, every: 200, from: 56 },
  { profile: broadProfile, every: 200, from: 156 },
  { profile: lengthsProfile, every: 100, from: 26 },
  { profile: fusedProfile, every: 10, from: 1 },
  { profile: cornersProfile, every: 10, from: 3 },
  { profile: reachProfile, every: 10, from: 5 },
  { profile: reachProfile, every: 20, from: 10 },
  { profile: ranksProfile, every: 20, from: 14 },
  { profile: windowsProfile, every: 40, from: 18 },
  { profile: crowdProfile, every: 40, from: 27 },
  { profile: edgesProfile, every: 20, from: 8 },
  { profile: nestedProfile, every: 20, from: 16 },
];

/** The mix repeats after this many cases: a multiple of the number of turns and of every interruption. */
export const CYCLE = 2800;

/** Returns the profile of case number `index` of the mix. */
export function profileOfCase(index: number): CaseProfile {
  const interruption = interruptions.find(({ every, from }) => index % every === from);
  return interruption?.profile ?? at(turns, index % turns.length);
}

/** Draws case number `index` of the random search that `seed` names, over the mix. */
export function searchedCase(seed: number, index: number): Case {
  return caseAt(profileOfCase(index), seed, index);
}
