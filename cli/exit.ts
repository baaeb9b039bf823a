import type { Standing, Verdict } from "../oracle/index.ts";
import { assertNever } from "../spec/index.ts";

/** The exit codes of `adjudge`. */
export const exitCodes = {
  /** Everything that was decided agrees, and it was enough to mean something. */
  agrees: 0,
  /** An engine disagrees with the truth; or a smoke test failed. */
  disagrees: 1,
  /** The command line, a file or a graph is wrong. */
  badInput: 2,
  /** No case could be decided, or an engine crashed or did not start. */
  undecided: 3,
  /** No engine was there to be asked, or none promises what was asked. */
  nothingRun: 4,
  /** What was decided agrees, but it is too little, or most of what was promised was declined. */
  tooLittle: 5,
  /** A fault of adjudge itself. */
  internal: 70,
} as const;

/** An exit code. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Returns the exit code of the worst engine; `nothingRun` only if none was asked anything. */
export function exitCodeOf(standings: readonly Standing[]): ExitCode {
  const codes = new Set(standings.map(codeOf));
  const { disagrees, undecided, tooLittle, agrees, nothingRun } = exitCodes;
  return [disagrees, undecided, tooLittle, agrees].find((code) => codes.has(code)) ?? nothingRun;
}

function codeOf({ kind }: Standing): ExitCode {
  switch (kind) {
    case "agrees":
      return exitCodes.agrees;
    case "disagrees":
      return exitCodes.disagrees;
    case "crashed":
    case "undecided":
      return exitCodes.undecided;
    case "broken promises":
    case "too little":
      return exitCodes.tooLittle;
    case "nothing":
      return exitCodes.nothingRun;
    default:
      return assertNever(kind);
  }
}

/** The exit code of one verdict. */
export function exitCodeOfVerdict({ kind }: Verdict): ExitCode {
  switch (kind) {
    case "agrees":
      return exitCodes.agrees;
    case "disagrees":
      return exitCodes.disagrees;
    case "crashed":
    case "undecided":
      return exitCodes.undecided;
    case "unsupported":
      return exitCodes.nothingRun;
    default:
      return assertNever(kind);
  }
}
