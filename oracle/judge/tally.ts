import type { OperatorName } from "../../spec/index.ts";
import type { Case } from "../case.ts";
import { operatorsOf } from "./ask.ts";
import type { Verdict } from "./verdict.ts";

/** How many cases ended in each kind of verdict. */
export type Counts = Readonly<Record<Verdict["kind"], number>>;

/** No case yet. */
export const noCounts: Counts = { agrees: 0, disagrees: 0, undecided: 0, unsupported: 0, crashed: 0 };

/** The counts of a run, in all and by operator. */
export interface Tally {
  readonly counts: Counts;
  /** A case counts for each operator in it; a disagreement only for the one to blame, a primitive wherever it goes down to one. */
  readonly operators: ReadonlyMap<OperatorName, Counts>;
  /** The operators of the cases that were answered, whatever came of them. */
  readonly asked: ReadonlySet<OperatorName>;
}

/** The tally of no case. */
export const emptyTally: Tally = { counts: noCounts, operators: new Map(), asked: new Set() };

/** The tally with one verdict more. */
export function tallied(tally: Tally, question: Case, verdict: Verdict): Tally {
  const operators = new Map(tally.operators);
  for (const op of countedOperators(question, verdict)) {
    operators.set(op, plusOne(operators.get(op) ?? noCounts, verdict.kind));
  }
  const isAnswered = verdict.kind !== "unsupported" && verdict.kind !== "crashed";
  const asked = isAnswered ? new Set([...tally.asked, ...operatorsOf(question)]) : tally.asked;
  return { counts: plusOne(tally.counts, verdict.kind), operators, asked };
}

function countedOperators(question: Case, verdict: Verdict): readonly OperatorName[] {
  if (verdict.kind !== "disagrees") return operatorsOf(question);
  const { op } = verdict.witness.blame;
  return op === undefined ? [] : [op];
}

function plusOne(counts: Counts, kind: Verdict["kind"]): Counts {
  return { ...counts, [kind]: counts[kind] + 1 };
}
