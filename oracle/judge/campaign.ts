import type { Engine } from "../../spec/contract/index.ts";
import { type Budget, defaultBudget, overBudget } from "../../spec/expansion/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { type Memory, memoryBy } from "../driver/index.ts";
import { type Drawing, drawnAt } from "../generate/index.ts";
import { type Heard, nothingHeard, type Verdict } from "../hearing/index.ts";
import { laws } from "../laws/index.ts";
import { faultKey, faultOf } from "./fault.ts";
import { type JudgeOptions, judgeFitted, withoutNumbers } from "./judge.ts";
import { ofTheJudge, type Refusal, refusals } from "./refusal.ts";

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

/** Makes the memory of the faults and errors of a campaign. */
export function faultMemory(): Memory<Verdict> {
  return memoryBy((verdict) => {
    if (verdict.kind === "crashed") return { [withoutNumbers(verdict.message)]: WITNESSES_PER_FAULT };
    if (verdict.kind !== "disagrees") return {};
    const fault = faultOf(verdict.witness);
    return { [faultKey(fault)]: WITNESSES_PER_FAULT, [`at ${fault.place}`]: WITNESSES_PER_PLACE };
  });
}

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
  const description = engine.describe();
  const memory = faultMemory();
  const judged = judgingCases(engine, dtype);
  for (const index of options.indexes ?? range(first, first + cases)) {
    const question = drawnAt(profile, description.operators, seed, index, description);
    const chosen = lawsEvery > 0 && index % lawsEvery === 0 ? laws : [];
    yield { index, ...(await judged(question, { laws: chosen, memory, ...limits })) };
  }
}

/**
 * Judges cases that fit their graphs in turn, with what was heard beside each verdict and whom a declined
 * case is charged to.
 */
export function judgingCases(
  engine: Engine,
  dtype: DataType,
): (question: Case, options: Omit<JudgeOptions, "dtype" | "hear">) => Promise<Omit<Judged, "index">> {
  const refusalOf = refusals(engine, dtype);
  return async (question, options) => {
    let heard = nothingHeard;
    const hear = (all: Heard): void => {
      heard = all;
    };
    const verdict = await judgeFitted(engine, question, { ...options, dtype, hear });
    const { budget = defaultBudget } = options;
    const refusal =
      verdict.kind !== "unsupported"
        ? undefined
        : overBudget(question.graph, budget) === undefined
          ? await refusalOf(question, verdict.reason)
          : ofTheJudge;
    return { case: question, verdict, heard, ...(refusal === undefined ? {} : { refusal }) };
  };
}

function* range(first: number, end: number): Iterable<number> {
  for (let index = first; index < end; index++) yield index;
}
