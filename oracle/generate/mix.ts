import { present } from "../../spec/index.ts";
import type { Case } from "../case.ts";
import { caseAt } from "./campaign.ts";
import {
  arrangingProfile,
  type CaseProfile,
  chainProfile,
  compositeProfile,
  kinkProfile,
  tensorProfile,
} from "./profile.ts";

/** What the cases are drawn from in turn, but for every fortieth, which is a long chain of scalars. */
const turns: readonly CaseProfile[] = [
  tensorProfile,
  compositeProfile,
  kinkProfile,
  compositeProfile,
  arrangingProfile,
];

/** What case number `index` of the random search is drawn from. */
export function profileOfCase(index: number): CaseProfile {
  return index % 40 === 39 ? chainProfile : present(turns[index % turns.length], "a profile");
}

/** Case number `index` of the random search that `seed` names, over a mix of profiles. */
export function searchedCase(seed: number, index: number): Case {
  return caseAt(profileOfCase(index), seed, index);
}
