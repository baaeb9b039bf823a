import type { Case } from "../case/index.ts";
import { randomAt, scramble } from "../random/index.ts";
import { drawCase } from "./arbitrary.ts";
import type { CaseProfile } from "./profile.ts";
import { drawCalls } from "./sessions.ts";

/** One case of so many is asked a sequence of calls, and not each mode once. */
const SESSION_EVERY = 20;

/**
 * Draws case number `index` of the campaign that `seed` names. It is a function of the three arguments alone,
 * so that any case of a long run replays without the ones before it.
 */
export function caseAt(profile: CaseProfile, seed: number, index: number): Case {
  const random = randomAt(seed, index);
  // Campaigns of other seeds start at another place of the walk through pairs.
  const question = drawCase(profile, random, (scramble(seed) >>> 8) + index);
  return index % SESSION_EVERY === 1 ? { ...question, calls: drawCalls(random, question) } : question;
}

/** Draws the first `count` cases of a campaign, each when it is asked for. */
export function* campaign(profile: CaseProfile, seed: number, count: number): Iterable<Case> {
  for (let index = 0; index < count; index++) yield caseAt(profile, seed, index);
}
