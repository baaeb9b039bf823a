import type { OperatorName } from "../../spec/composites/index.ts";
import type { Mode } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import {
  type Heard,
  type ImpreciseNumbers,
  nothingHeard,
  operatorsOf,
  plusHeard,
  type Verdict,
} from "../hearing/index.ts";
import type { Judged } from "./campaign.ts";
import type { Refusal } from "./refusal.ts";

/** These count the cases that ended in each kind of verdict. */
export type Counts = Readonly<Record<Verdict["kind"], number>>;

/** No case was judged yet. */
export const noCounts: Counts = { agrees: 0, disagrees: 0, undecided: 0, unsupported: 0, crashed: 0 };

/** Some modes have a count, the others 0. */
export type ByMode = Partial<Readonly<Record<Mode, number>>>;

/** This came of the promise of one operator. */
export interface Called {
  /** The cases with the operator that were answered or declined are counted. */
  readonly asked: number;
  /** In so many of these, by mode, it was declined, and is declined alone too: see {@link Refusal}. */
  readonly declined: ByMode;
}

/** So many numbers, in so many cases, agree without a right digit; the first is told with its case. */
export interface ImpreciseAnswers {
  readonly numbers: number;
  readonly cases: number;
  readonly first: ImpreciseNumbers["first"] & { readonly case: number | string };
}

/** A tally has the counts of a run, in all and by operator, and what was heard beside the verdicts. */
export interface Tally extends Omit<Heard, "imprecise"> {
  readonly counts: Counts;
  /** A case counts for all its operators, a disagreement for the one to blame, a primitive if possible. */
  readonly operators: ReadonlyMap<OperatorName, Counts>;
  /** The cases that were answered have these operators, whatever came of them. */
  readonly asked: ReadonlySet<OperatorName>;
  /** This came of what was promised. */
  readonly promises: ReadonlyMap<OperatorName, Called>;
  /** Cases declined though each operator is granted alone count once for each operator, by mode. */
  readonly together: ByMode;
  /** Cases with an operator that was never promised are nobody's fault. */
  readonly foreign: number;
  readonly imprecise: ReadonlyMap<OperatorName, ImpreciseAnswers>;
}

/** This tally has no case. */
export const emptyTally: Tally = {
  counts: noCounts,
  operators: new Map(),
  asked: new Set(),
  promises: new Map(),
  together: {},
  foreign: 0,
  ...nothingHeard,
  imprecise: new Map(),
};

/** Adds one case, known by its index or file, to a tally. */
export function tallied(tally: Tally, judged: Omit<Judged, "index">, place: number | string): Tally {
  const { case: question, verdict, refusal, heard } = judged;
  const operators = new Map(tally.operators);
  for (const op of countedOperators(question, verdict)) {
    operators.set(op, plusOne(operators.get(op) ?? noCounts, verdict.kind));
  }
  const isAnswered = verdict.kind !== "unsupported" && verdict.kind !== "crashed";
  const isForeign = verdict.kind === "unsupported" && refusal === undefined;
  const isAsked = verdict.kind !== "crashed" && !isForeign && refusal?.modes.length !== 0;
  return {
    counts: plusOne(tally.counts, verdict.kind),
    operators,
    asked: isAnswered ? new Set([...tally.asked, ...operatorsOf(question)]) : tally.asked,
    promises: isAsked ? called(tally, question, refusal) : tally.promises,
    together: togetherIn(tally, question, refusal),
    foreign: tally.foreign + (isForeign ? 1 : 0),
    ...plusHeard(tally, heard),
    imprecise: [...heard.imprecise].reduce(
      (sum, [op, { numbers, first }]) =>
        plusImprecise(sum, new Map([[op, { numbers, cases: 1, first: { case: place, ...first } }]])),
      tally.imprecise,
    ),
  };
}

/** Adds the imprecise answers of both; the first stays the first. */
export function plusImprecise(a: Tally["imprecise"], b: Tally["imprecise"]): Tally["imprecise"] {
  const sum = new Map(a);
  for (const [op, more] of b) {
    const before = sum.get(op);
    sum.set(op, {
      numbers: more.numbers + (before?.numbers ?? 0),
      cases: more.cases + (before?.cases ?? 0),
      first: before?.first ?? more.first,
    });
  }
  return sum;
}

function called({ promises }: Tally, question: Case, refusal: Refusal | undefined): Tally["promises"] {
  const after = new Map(promises);
  for (const op of operatorsOf(question)) {
    const { asked, declined } = after.get(op) ?? { asked: 0, declined: {} };
    const modes = refusal?.operators.includes(op) === true ? refusal.modes : [];
    after.set(op, { asked: asked + 1, declined: plus(declined, modes, 1) });
  }
  return after;
}

function togetherIn({ together }: Tally, question: Case, refusal: Refusal | undefined): ByMode {
  if (refusal === undefined || refusal.operators.length > 0) return together;
  return plus(together, refusal.modes, operatorsOf(question).length);
}

function plus(counts: ByMode, modes: readonly Mode[], more: number): ByMode {
  return { ...counts, ...Object.fromEntries(modes.map((mode) => [mode, (counts[mode] ?? 0) + more])) };
}

function countedOperators(question: Case, verdict: Verdict): readonly OperatorName[] {
  if (verdict.kind !== "disagrees") return operatorsOf(question);
  const { op } = verdict.witness.blame;
  return op === undefined ? [] : [op];
}

function plusOne(counts: Counts, kind: Verdict["kind"]): Counts {
  return { ...counts, [kind]: counts[kind] + 1 };
}
