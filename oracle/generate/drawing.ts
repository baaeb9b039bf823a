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
  type AtPoints,
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
export const drawings: ReadonlyMap<string, CaseProfile | Mix> = new Map<string, CaseProfile | Mix>([
  [mix.name, mix],
  ...profiles,
]);

/** No graph is asked at more points in a row: others would wait for it too long. */
const MOST_POINTS = 1000;

/** Returns what a name draws: a profile, the mix, or one of them at a number of points (`mix:16`). */
export function drawingNamed(name: string): Drawing | undefined {
  const [, first = name, count] = /^(.*):([1-9][0-9]{0,3})$/s.exec(name) ?? [];
  const of = drawings.get(first);
  if (of === undefined || count === undefined) return of;
  const points = Number(count);
  return points <= MOST_POINTS ? { name, of, points } : undefined;
}

/** Says which names {@link drawingNamed} knows, as a part of a sentence. */
export const namesOfDrawings: string = `${[...drawings.keys()].join(", ")}, or mix:16 for 16 points a graph, up to ${MOST_POINTS}`;

/** Lists the share of each profile in what is drawn; the shares add up to 1. */
export function sharesOf(drawing: Drawing): readonly ProfileShare[] {
  if ("of" in drawing) return sharesOf(drawing.of);
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
  if ("of" in drawing) return profileIn(drawing.of, firstOf(drawing, index));
  return "profileAt" in drawing ? drawing.profileAt(index) : drawing;
}

/** Returns the index of the case whose graph a case is about. */
const firstOf = ({ points }: AtPoints, index: number): number => index - (index % points);

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
  if ("of" in drawing) {
    const first = firstOf(drawing, index);
    const question = drawnAt(drawing.of, operators, seed, first, declared);
    return index === first ? question : elsewhere(question, randomAt(seed, index));
  }
  const { accumulation = {} } = declared;
  const sums = drawing === mix ? declaredSumsAt({ operators, accumulation }, seed, index) : undefined;
  if (sums !== undefined && beyondLimits(declared, sums.graph) === undefined) return sums;
  const profile = profileIn(drawing, index);
  const offered = restrict(profile, operators);
  const isEmpty = offered.operators.length === 0 && drawing !== profile;
  return caseAt(limited(isEmpty ? restrict(tensorProfile, operators) : offered, declared), seed, index);
}
