import type { LeanChecker, LeanVerdict } from "./checker.ts";
import { showVerdict } from "./checker.ts";

/** A file for Lean, and the verdict that it has to get. */
export interface Expectation {
  /** What the file is, for people. */
  readonly what: string;
  readonly file: Parameters<LeanChecker["check"]>[0][number];
  readonly isExpected: (verdict: LeanVerdict) => boolean;
}

/** How many verdicts were as they have to be, and what was said of all others. */
export interface Tally {
  readonly right: number;
  readonly wrong: readonly string[];
  readonly undecided: readonly string[];
}

/** How many files Lean is handed at a time, so that there is progress to tell. */
const BATCH = 25;

/** Has Lean check every file. `progress` hears after each batch how many are done. */
export async function tally(
  checker: LeanChecker,
  expectations: readonly Expectation[],
  progress: (done: number) => void,
): Promise<Tally> {
  const wrong: string[] = [];
  const undecided: string[] = [];
  for (let from = 0; from < expectations.length; from += BATCH) {
    const batch = expectations.slice(from, from + BATCH);
    const verdicts = await checker.check(batch.map(({ file }) => file));
    for (const [index, { what, isExpected }] of batch.entries()) {
      const verdict = verdicts[index] ?? { kind: "could_not_run", why: "there is no verdict" };
      if (verdict.kind === "could_not_run") undecided.push(`${what}: ${showVerdict(verdict)}`);
      else if (!isExpected(verdict)) wrong.push(`${what}: ${showVerdict(verdict)}`);
    }
    progress(from + batch.length);
  }
  return { right: expectations.length - wrong.length - undecided.length, wrong, undecided };
}
