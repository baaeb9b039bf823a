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
  /**
   * All that was decided agrees, but it is too little, or most of what was promised was declined, or it
   * agrees by declarations alone, or a strict run found numbers without a right digit.
   */
  tooLittle: 5,
  /** A fault of adjudge itself. */
  internal: 70,
} as const;

/** An exit code. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

interface Told {
  readonly kind:
    | "agrees"
    | "disagrees"
    | "crashed"
    | "undecided"
    | "unsupported"
    | "broken promises"
    | "excused"
    | "too little"
    | "imprecise"
    | "nothing";
}

/** Exit codes by the kind of a verdict, or of what a run says of an engine. */
const codes: Readonly<Record<Told["kind"], ExitCode>> = {
  agrees: exitCodes.agrees,
  disagrees: exitCodes.disagrees,
  crashed: exitCodes.undecided,
  undecided: exitCodes.undecided,
  unsupported: exitCodes.nothingRun,
  "broken promises": exitCodes.tooLittle,
  excused: exitCodes.tooLittle,
  "too little": exitCodes.tooLittle,
  imprecise: exitCodes.tooLittle,
  nothing: exitCodes.nothingRun,
};

/** Returns the exit code of a run, from what it says of each engine. */
export function exitCodeOf(standings: readonly Told[]): ExitCode {
  return worstOf(standings.map(({ kind }) => codes[kind]));
}

/** Returns the worst exit code of some: that of an engine that has nothing to say only if all have. */
export function worstOf(all: readonly ExitCode[]): ExitCode {
  const { disagrees, undecided, tooLittle, agrees, nothingRun } = exitCodes;
  return [disagrees, undecided, tooLittle, agrees].find((code) => all.includes(code)) ?? nothingRun;
}

/** Counts the questions that came to each kind of verdict. */
export type KindCounts = Readonly<
  Record<"agrees" | "disagrees" | "undecided" | "unsupported" | "crashed", number>
> &
  Readonly<Record<string, number>>;

/** Returns the exit code of one verdict. */
export function exitCodeOfVerdict({ kind }: Told): ExitCode {
  return codes[kind];
}
