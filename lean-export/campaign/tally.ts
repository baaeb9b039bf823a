import type { LeanFile, LeanVerdict } from "../index.ts";
import { type LeanChecker, noVerdict, showVerdict } from "./checker.ts";

/** A file for Lean, and which verdict it has to get. */
export interface Expectation {
  readonly file: LeanFile;
  readonly isExpected: (verdict: LeanVerdict) => boolean;
}

/** A tally counts the verdicts that were right, and lists what was said of all others. */
export interface Tally {
  readonly right: number;
  readonly wrong: readonly string[];
  readonly undecided: readonly string[];
}

/** Progress is told after so many files. */
const STEP = 25;

/** Has Lean check every file. `log` hears of progress. */
export async function tally(
  checker: LeanChecker,
  expectations: readonly Expectation[],
  log: (line: string) => void,
): Promise<Tally> {
  const done = { count: 0 };
  const progress = (): void => {
    done.count += 1;
    if (done.count % STEP === 0) log(`${done.count} of ${expectations.length} checked`);
  };
  const verdicts = await checker.check(
    expectations.map(({ file }) => file),
    { log, progress },
  );
  const wrong: string[] = [];
  const undecided: string[] = [];
  for (const [index, { file, isExpected }] of expectations.entries()) {
    const verdict = verdicts[index] ?? noVerdict;
    if (verdict.kind === "could-not-run") undecided.push(`${file.name}: ${showVerdict(verdict)}`);
    else if (!isExpected(verdict)) wrong.push(`${file.name}: ${showVerdict(verdict)}`);
  }
  return { right: expectations.length - wrong.length - undecided.length, wrong, undecided };
}
