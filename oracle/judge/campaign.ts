import type { Engine } from "../../spec/contract/index.ts";
import { type Budget, defaultBudget, overBudget, shapesOf } from "../../spec/expansion/index.ts";
import { sizeOf } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { judgedAhead, type Memory, memoryBy, type Pace, type Posed, telling } from "../driver/index.ts";
import { type Drawing, drawnAt } from "../generate/index.ts";
import { type Heard, nothingHeard, type Verdict } from "../hearing/index.ts";
import { laws } from "../laws/index.ts";
import { faultKey, faultOf } from "./fault.ts";
import { type JudgeOptions, posedFitted, withoutNumbers } from "./judge.ts";
import { ofTheJudge, type Refusal, refusals } from "./refusal.ts";

/** A campaign asks the cases from index `first` on, drawn from `profile` with `seed`. */
export interface CampaignOptions extends Pick<Pace, "ahead"> {
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
  const posed = posedCases(engine, dtype);
  const indexes = options.indexes ?? range(first, first + cases);
  const pose = (index: number): Posed<Judged> => {
    const question = drawnAt(profile, description.operators, seed, index, description);
    const chosen = lawsEvery > 0 && index % lawsEvery === 0 ? laws : [];
    return telling(posed(question, { laws: chosen, memory, ...limits }), (told) => ({ index, ...told }));
  };
  yield* judgedAhead(engine, indexes, pose, options);
}

/**
 * Poses cases that fit their graphs, to be judged with what was heard beside each verdict and whom a declined
 * case is charged to.
 */
export function posedCases(
  engine: Engine,
  dtype: DataType,
): (question: Case, options: Omit<JudgeOptions, "dtype" | "hear">) => Posed<Omit<Judged, "index">> {
  const refusalOf = refusals(engine, dtype);
  return (question, options) => {
    const { budget = defaultBudget } = options;
    const told = async (verdict: Verdict, heard: Heard): Promise<Omit<Judged, "index">> => {
      const refusal =
        verdict.kind !== "unsupported"
          ? undefined
          : overBudget(question.graph, budget) === undefined
            ? await refusalOf(question, verdict.reason)
            : ofTheJudge;
      return { case: question, verdict, heard, ...(refusal === undefined ? {} : { refusal }) };
    };
    return {
      numbers: shapesOf(question.graph).reduce((sum, shape) => sum + sizeOf(shape), 0),
      async ask() {
        let heard = nothingHeard;
        const hear = (all: Heard): void => {
          heard = all;
        };
        const { needs, judge } = await posedFitted(engine, question, { ...options, dtype, hear }).ask();
        return { needs, judge: async () => told(await judge(), heard) };
      },
    };
  };
}

function* range(first: number, end: number): Iterable<number> {
  for (let index = first; index < end; index++) yield index;
}
