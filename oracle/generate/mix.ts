import { at } from "../../spec/index.ts";
import type { Case } from "../case.ts";
import { caseAt } from "./campaign.ts";
import {
  arrangingProfile,
  type CaseProfile,
  chainProfile,
  compositeProfile,
  cornersProfile,
  crowdProfile,
  deepProfile,
  kinkProfile,
  longProfile,
  ranksProfile,
  tensorProfile,
  windowsProfile,
} from "./profile.ts";

/** What the mix is called beside the names of profiles. */
export const mixName = "mix";

/** What the cases are drawn from in turn. */
const turns: readonly CaseProfile[] = [
  tensorProfile,
  compositeProfile,
  kinkProfile,
  compositeProfile,
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
  { profile: windowsProfile, every: 20, from: 18 },
  { profile: crowdProfile, every: 40, from: 27 },
];

/** After so many cases the mix begins anew. */
const CYCLE = 400;

/** What case number `index` of the mix is drawn from. */
export function profileOfCase(index: number): CaseProfile {
  const interruption = interruptions.find(({ every, from }) => index % every === from);
  return interruption?.profile ?? at(turns, index % turns.length);
}

/** The share of the cases that each profile of the mix has, by its name; they add up to 1. */
export const mixShares: ReadonlyMap<string, number> = sharesOf(
  Array.from({ length: CYCLE }, (_, index) => profileOfCase(index).name),
);

function sharesOf(names: readonly string[]): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const name of names) shares.set(name, names.filter((other) => other === name).length / names.length);
  return shares;
}

/** Case number `index` of the random search that `seed` names, over the mix of profiles. */
export function searchedCase(seed: number, index: number): Case {
  return caseAt(profileOfCase(index), seed, index);
}
