import type { AnswerPart, Surveyed } from "../../oracle/index.ts";

/** Numbers are counted by their judgement. */
export type Judgements = Record<Surveyed["judgement"], number>;

/** A tally has the counts of a run, which grow. */
export interface Tally {
  readonly parts: Record<AnswerPart, Judgements>;
  /** Counts are by operator; an input's cotangent counts under `input`. */
  readonly operators: Map<string, Judgements>;
  readonly profiles: Map<string, Judgements>;
}

function newJudgements(): Judgements {
  return { within: 0, outside: 0, reference: 0, close: 0, dense: 0, singular: 0, inherited: 0, lost: 0 };
}

/** Returns the tally of no case. */
export function newTally(): Tally {
  return {
    parts: { value: newJudgements(), tangent: newJudgements(), cotangent: newJudgements() },
    operators: new Map(),
    profiles: new Map(),
  };
}

/** Adds the numbers of one case of a profile. */
export function addTo(tally: Tally, profile: string, numbers: readonly Surveyed[]): void {
  const ofProfile = rowOf(tally.profiles, profile);
  for (const { part, op, judgement } of numbers) {
    tally.parts[part][judgement] += 1;
    ofProfile[judgement] += 1;
    rowOf(tally.operators, op ?? "input")[judgement] += 1;
  }
}

function rowOf(rows: Map<string, Judgements>, name: string): Judgements {
  const row = rows.get(name) ?? newJudgements();
  rows.set(name, row);
  return row;
}

/** Adds several rows. */
export function sumOf(rows: Iterable<Judgements>): Judgements {
  const sum = newJudgements();
  for (const row of rows) {
    for (const key of judgementNames) sum[key] += row[key];
  }
  return sum;
}

/** Counts the numbers that were decided, as within or outside their bounds. */
export function decidedIn({ within, outside }: Judgements): number {
  return within + outside;
}

/** Counts the numbers that were left undecided. */
export function openIn({ close, dense, singular, inherited, lost }: Judgements): number {
  return close + dense + singular + inherited + lost;
}

const judgementNames = [
  "within",
  "outside",
  "reference",
  "close",
  "dense",
  "singular",
  "inherited",
  "lost",
] as const;
