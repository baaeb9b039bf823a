import type { AnswerPart, Surveyed } from "../../oracle/index.ts";

/** Numbers by what became of them. */
export type Judgements = Record<Surveyed["judgement"], number>;

/** The counts of a run, which grow. */
export interface Tally {
  readonly parts: Record<AnswerPart, Judgements>;
  /** By operator, an input's cotangent under `input`. */
  readonly operators: Map<string, Judgements>;
  readonly profiles: Map<string, Judgements>;
}

/** Counts of nothing. */
function newJudgements(): Judgements {
  return { within: 0, outside: 0, close: 0, dense: 0, singular: 0, inherited: 0, lost: 0 };
}

/** The tally of no case. */
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

/** The sum of several rows. */
export function sumOf(rows: Iterable<Judgements>): Judgements {
  const sum = newJudgements();
  for (const row of rows) {
    for (const key of judgementNames) sum[key] += row[key];
  }
  return sum;
}

/** How many numbers were really judged: those of which it was said that they are within or outside. */
export function decidedIn({ within, outside }: Judgements): number {
  return within + outside;
}

/** How many were left open. */
export function openIn({ close, dense, singular, inherited, lost }: Judgements): number {
  return close + dense + singular + inherited + lost;
}

const judgementNames = ["within", "outside", "close", "dense", "singular", "inherited", "lost"] as const;
