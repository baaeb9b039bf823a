import type { OperatorName } from "../../spec/composites/index.ts";
import type { Description } from "../../spec/contract/index.ts";
import { beyondLimits, type InPart } from "../../spec/promises/index.ts";
import type { ProfileShare } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { randomAt } from "../random/index.ts";
import { caseAt } from "./campaign.ts";
import { elsewhere } from "./elsewhere.ts";
import { CYCLE, profileOfCase } from "./mix.ts";
import {
  type CaseProfile,
  type Drawing,
  limited,
  type Mix,
  profiles,
  restrict,
  tensorProfile,
} from "./profile.ts";
import { declaredSumsAt } from "./sums.ts";

/** Takes the profiles in turn, in the shares that a search found best; the default of every judge. */
export const mix: Mix = { name: "mix", period: CYCLE, profileAt: profileOfCase };

/** Names the mix and the profiles, for the command line and for replay. */
export const drawings: ReadonlyMap<string, Drawing> = new Map<string, Drawing>([
  [mix.name, mix],
  ...profiles,
]);

/** Lists the share of each profile in what is drawn; the shares add up to 1. */
export function sharesOf(drawing: Drawing): readonly ProfileShare[] {
  if (!("profileAt" in drawing)) return [{ profile: drawing.name, share: 1 }];
  const counts = new Map<string, number>();
  for (let index = 0; index < drawing.period; index++) {
    const { name } = drawing.profileAt(index);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([profile, count]) => ({ profile, share: count / drawing.period }));
}

/** Returns the profile that the case at an index is drawn from. */
export function profileIn(drawing: Drawing, index: number): CaseProfile {
  return "profileAt" in drawing ? drawing.profileAt(index) : drawing;
}

/**
 * Draws as {@link drawnAt} the first of every `points` cases; those behind it ask about its graph elsewhere.
 */
export function drawnNear(
  points: number,
  ...[drawing, operators, seed, index, declared]: Parameters<typeof drawnAt>
): Case {
  const first = index - (index % points);
  const question = drawnAt(drawing, operators, seed, first, declared);
  return index === first ? question : elsewhere(question, randomAt(seed, index));
}

/**
 * Draws case number `index` of the campaign that `seed` names, of `supported` operators alone: a function of
 * its arguments, so that any case replays alone. Where a profile has none of them, it draws small tensors.
 * Of an engine that declares how it adds up, the mix has cases where that shows; of one that promises
 * operators in part, no others are drawn.
 */
export function drawnAt(
  drawing: Drawing,
  operators: readonly OperatorName[],
  seed: number,
  index: number,
  declared: Pick<Description, "accumulation"> & InPart = {},
): Case {
  const { accumulation = {} } = declared;
  const sums = drawing === mix ? declaredSumsAt({ operators, accumulation }, seed, index) : undefined;
  if (sums !== undefined && beyondLimits(declared, sums.graph) === undefined) return sums;
  const profile = profileIn(drawing, index);
  const offered = restrict(profile, operators);
  const isEmpty = offered.operators.length === 0 && drawing !== profile;
  return caseAt(limited(isEmpty ? restrict(tensorProfile, operators) : offered, declared), seed, index);
}
