import { at } from "../../spec/shapes/index.ts";
import type { Case } from "../case/index.ts";
import { caseAt } from "./campaign.ts";
import {
  arrangingProfile,
  type CaseProfile,
  chainProfile,
  cornersProfile,
  crowdProfile,
  deepProfile,
  edgesProfile,
  kinkProfile,
  longProfile,
  nestedProfile,
  networkProfile,
  pairProfile,
  ranksProfile,
  tensorProfile,
  windowsProfile,
} from "./profile.ts";

/** What the cases are drawn from in turn. */
const turns: readonly CaseProfile[] = [
  tensorProfile,
  pairProfile,
  kinkProfile,
  pairProfile,
  networkProfile,
  pairProfile,
  arrangingProfile,
];

/** What takes the place of a turn: case `from` and every `every`-th after it, the first of the list that claims a case. */
const interruptions: readonly {
  readonly profile: CaseProfile;
  readonly every: number;
  readonly from: number;
}[] = [
  { profile: deepProfile, every: 400, from: 279 },
  { profile: chainProfile, every: 40, from: 39 },
  { profile: longProfile, every: 200, from: 56 },
  { profile: cornersProfile, every: 10, from: 3 },
  { profile: ranksProfile, every: 20, from: 14 },
  { profile: windowsProfile, every: 40, from: 18 },
  { profile: crowdProfile, every: 40, from: 27 },
  { profile: edgesProfile, every: 20, from: 8 },
  { profile: nestedProfile, every: 20, from: 16 },
];

/** After so many cases the mix begins anew: a multiple of how many turns there are, and of what interrupts them. */
export const CYCLE = 2800;

/** What case number `index` of the mix is drawn from. */
export function profileOfCase(index: number): CaseProfile {
  const interruption = interruptions.find(({ every, from }) => index % every === from);
  return interruption?.profile ?? at(turns, index % turns.length);
}

/** Case number `index` of the random search that `seed` names, over the mix of profiles. */
export function searchedCase(seed: number, index: number): Case {
  return caseAt(profileOfCase(index), seed, index);
}
