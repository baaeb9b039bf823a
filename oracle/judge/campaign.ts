import type { DataType, Engine } from "../../engines/index.ts";
import type { Budget } from "../../spec/index.ts";
import type { Case } from "../case.ts";
import { type Drawing, drawnAt } from "../generate/index.ts";
import { laws } from "../laws/index.ts";
import { type JudgeOptions, judge, withoutNumbers } from "./judge.ts";
import type { Blame, Verdict } from "./verdict.ts";

/** What a campaign asks: the cases from index `first` on, drawn from `profile` with `seed`. */
export interface CampaignOptions {
  readonly profile: Drawing;
  readonly seed: number;
  readonly cases: number;
  readonly first?: number;
  readonly dtype: DataType;
  /** The laws are checked on every n-th case; 1 unless told, 0 for none. */
  readonly lawsEvery?: number;
  /** As {@link JudgeOptions} has them. */
  readonly budget?: Budget;
  readonly isOver?: () => boolean;
}

/** One case of a campaign, judged. */
export interface Judged {
  readonly index: number;
  readonly case: Case;
  readonly verdict: Verdict;
}

/** How many witnesses of one fault are made as small as can be; the rest are only counted. */
const WITNESSES_PER_FAULT = 2;

/**
 * Judges random cases one after the other, drawn from the operators the engine offers. The case at an index
 * depends on profile, offered operators, seed and index alone, so that any of them replays.
 */
export async function* campaignOn(engine: Engine, options: CampaignOptions): AsyncGenerator<Judged> {
  const { profile, seed, cases, first = 0, dtype, lawsEvery = 1, budget, isOver } = options;
  const limits: Pick<JudgeOptions, "budget" | "isOver"> = {
    ...(budget === undefined ? {} : { budget }),
    ...(isOver === undefined ? {} : { isOver }),
  };
  const { operators } = engine.describe();
  const seen = new Map<string, number>();
  const isKnown = (blame: Blame): boolean => (seen.get(faultOf(blame)) ?? 0) >= WITNESSES_PER_FAULT;
  const isKnownError = (message: string): boolean =>
    (seen.get(withoutNumbers(message)) ?? 0) >= WITNESSES_PER_FAULT;
  const note = (fault: string): void => void seen.set(fault, (seen.get(fault) ?? 0) + 1);
  for (let index = first; index < first + cases; index++) {
    const question = drawnAt(profile, operators, seed, index);
    const chosen = lawsEvery > 0 && index % lawsEvery === 0 ? laws : [];
    const verdict = await judge(engine, question, { dtype, laws: chosen, isKnown, isKnownError, ...limits });
    if (verdict.kind === "disagrees") note(faultOf(verdict.witness.blame));
    if (verdict.kind === "crashed") note(withoutNumbers(verdict.message));
    yield { index, case: question, verdict };
  }
}

/** Faults are told apart by operator and by what is wrong at it. */
export function faultOf({ op, part }: Blame): string {
  return `${op ?? "input"} ${part}`;
}
