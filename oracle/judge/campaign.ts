import type { Engine } from "../../spec/contract/index.ts";
import type { Budget } from "../../spec/graph/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { type Drawing, drawnAt } from "../generate/index.ts";
import { type Heard, nothingHeard, type Verdict, type Witness } from "../hearing/index.ts";
import { laws } from "../laws/index.ts";
import { type Fault, faultKey, faultOf } from "./fault.ts";
import { type JudgeOptions, judgeFitted, withoutNumbers } from "./judge.ts";
import { type Refusal, refusals } from "./refusal.ts";

/** A campaign asks the cases from index `first` on, drawn from `profile` with `seed`. */
export interface CampaignOptions {
  readonly profile: Drawing;
  readonly seed: number;
  readonly cases: number;
  readonly first?: number;
  /** These indexes are asked in order, in place of `first` and those after it. */
  readonly indexes?: readonly number[];
  readonly dtype: DataType;
  /** Laws are checked on every n-th case; 1 by default, 0 for none. */
  readonly lawsEvery?: number;
  /** These are as in {@link JudgeOptions}. */
  readonly budget?: Budget;
  readonly isOver?: () => boolean;
}

/** One case of a campaign was judged. */
export interface Judged {
  readonly index: number;
  readonly case: Case;
  readonly verdict: Verdict;
  /** A case of promised operators that is `unsupported` is charged to these. */
  readonly refusal?: Refusal;
  /** The answers told this beside the verdict. */
  readonly heard: Heard;
}

/** This many witnesses of one fault are shrunk; the rest are only counted. */
const WITNESSES_PER_FAULT = 2;

/** This many are shrunk of an operator, whatever its attributes, since one may be wrong with all. */
const WITNESSES_PER_PLACE = 8;

/**
 * Judges random cases in turn, drawn from the operators the engine offers. The case at an index depends on
 * profile, offered operators, seed and index alone, so that any of them replays.
 */
export async function* campaignOn(engine: Engine, options: CampaignOptions): AsyncGenerator<Judged> {
  const { profile, seed, cases, first = 0, dtype, lawsEvery = 1, budget, isOver } = options;
  const limits: Pick<JudgeOptions, "budget" | "isOver"> = {
    ...(budget === undefined ? {} : { budget }),
    ...(isOver === undefined ? {} : { isOver }),
  };
  const { operators } = engine.describe();
  const { isKnown, isKnownError, note } = remembered();
  const refusalOf = refusals(engine, dtype);
  for (const index of options.indexes ?? range(first, first + cases)) {
    const question = drawnAt(profile, operators, seed, index);
    const chosen = lawsEvery > 0 && index % lawsEvery === 0 ? laws : [];
    let heard = nothingHeard;
    const verdict = await judgeFitted(engine, question, {
      dtype,
      hear: (all) => {
        heard = all;
      },
      laws: chosen,
      isKnown,
      isKnownError,
      ...limits,
    });
    note(verdict);
    const refusal = verdict.kind === "unsupported" ? await refusalOf(question, verdict.reason) : undefined;
    const judged = { index, case: question, verdict, heard };
    yield refusal === undefined ? judged : { ...judged, refusal };
  }
}

/** The faults and errors seen so far, by which the search for smaller cases is saved. */
function remembered() {
  const seen = new Map<string, number>();
  const times = (what: string): number => seen.get(what) ?? 0;
  const count = (what: string): void => void seen.set(what, times(what) + 1);
  const isWellKnown = (fault: Fault): boolean =>
    times(faultKey(fault)) >= WITNESSES_PER_FAULT || times(`at ${fault.place}`) >= WITNESSES_PER_PLACE;
  return {
    isKnown: (witness: Witness): boolean => isWellKnown(faultOf(witness)),
    isKnownError: (message: string): boolean => times(withoutNumbers(message)) >= WITNESSES_PER_FAULT,
    note: (verdict: Verdict): void => {
      if (verdict.kind === "crashed") count(withoutNumbers(verdict.message));
      if (verdict.kind !== "disagrees") return;
      const fault = faultOf(verdict.witness);
      count(faultKey(fault));
      count(`at ${fault.place}`);
    },
  };
}

function* range(first: number, end: number): Iterable<number> {
  for (let index = first; index < end; index++) yield index;
}
