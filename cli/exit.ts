import type { Counts } from "../oracle/index.ts";

/** What the exit code of `adjudge` says. */
export const exitCodes = {
  /** Everything that was decided agrees, and something was. */
  agrees: 0,
  /** An engine disagrees with the truth; or a smoke test failed. */
  disagrees: 1,
  /** The command line, a file or a graph is wrong. */
  badInput: 2,
  /** No case could be decided, or an engine crashed or did not start. */
  undecided: 3,
  /** No engine was there to be asked, or none supports what was asked. */
  nothingRun: 4,
  /** A fault of adjudge itself. */
  internal: 70,
} as const;

/** An exit code. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit code of a run, from the counts of all its sections. */
export function exitCodeOf(sections: readonly Counts[]): ExitCode {
  const total = (kind: keyof Counts): number => sections.reduce((sum, counts) => sum + counts[kind], 0);
  if (total("disagrees") > 0) return exitCodes.disagrees;
  if (total("crashed") > 0) return exitCodes.undecided;
  if (total("agrees") > 0) return exitCodes.agrees;
  return total("undecided") > 0 ? exitCodes.undecided : exitCodes.nothingRun;
}
