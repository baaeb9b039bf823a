import type { Extent, JudgeOptions } from "../../oracle/judge/index.ts";
import type { OperatorName } from "../../spec/composites/index.ts";
import type { Description, Engine } from "../../spec/contract/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { ExitCode, KindCounts } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Ending } from "./postponing.ts";

/** Judging a question may take this much, and a search for a smaller one so much of the run's time. */
export type Limits = Required<Pick<JudgeOptions, "budget" | "isOver">> & Pick<JudgeOptions, "search">;

/** An agenda may ask some questions last, by how others ended. */
export interface Course {
  /** The told questions of an earlier run ended so, each with its index or file. */
  readonly earlier: readonly { readonly case: number | string; readonly verdict: Ending }[];
  /** Is told of operators whose questions come last from now on. */
  postponed(operators: readonly OperatorName[]): void;
}

/** An agenda says what one engine is asked, and in which order. */
export interface Agenda<Judged> {
  /** The agenda has this many questions, or fewer if a selection finds fewer than it is asked for. */
  readonly cases: number;
  /** The questions have these operators, as far as they were looked at. */
  readonly operators: ReadonlySet<OperatorName>;
  /** The first so many questions have all of these operators. */
  readonly covering: number;
  /** Puts the questions from number `first` on to an engine; a place is an index or a file. */
  ask(
    engine: Engine,
    dtype: DataType,
    limits: Limits,
    first: number,
    course?: Course,
  ): AsyncGenerator<{ readonly place: number | string; readonly judged: Judged }>;
}

/** One engine in one precision was asked so far, and this came of it. */
export interface Found<Tally, Verdict> {
  /** The command line names the engine so. */
  readonly label: string;
  readonly description: Description;
  /** Its handshake promises these operators. */
  readonly promised: readonly OperatorName[];
  readonly dtype: DataType;
  readonly tally: Tally;
  readonly extent: Extent;
  /** These verdicts are told one by one, each with its index or file. */
  readonly verdicts: readonly { readonly case: number | string; readonly verdict: Verdict }[];
}

/** A judged question has a verdict, whatever else is known of it. */
export interface WithVerdict<Verdict> {
  readonly verdict: Verdict;
}

/**
 * A campaign is a kind of question on the command line: what is asked, how verdicts are counted and told.
 * `runCampaign` does what all kinds share: asking in turn, time limits, progress, interruption.
 */
export interface Campaign<Tally, Verdict, Judged extends WithVerdict<Verdict>> {
  /** Says why an engine is asked nothing of this kind; `undefined` if it is asked. */
  lacking?(engine: Engine): string | undefined;
  /** Lists the precisions that are asked of an engine. */
  dtypesOf(engine: Engine): readonly DataType[];
  agendaOf(engine: Engine): Agenda<Judged>;
  readonly noTally: Tally;
  /** Counts a judged question, whose place is an index or a file. */
  tallied(tally: Tally, judged: Judged, place: number | string): Tally;
  countsOf(tally: Tally): KindCounts;
  /** Counts the questions that ask for what the engine never promised, which are nobody's fault. */
  foreignOf?(tally: Tally): number;
  /** Tells whether a verdict is told by itself, and not only counted. */
  isTold(verdict: Verdict): boolean;
  /** Prints what was found. */
  print(found: readonly Found<Tally, Verdict>[], terminal: Terminal): void;
  /** Counts what is wrong and was not known; a run may end after so many. */
  findings(found: readonly Found<Tally, Verdict>[]): number;
  /**
   * Says how to go on with a run that is interrupted: commands for all that was not asked. `waiting` are the
   * engines that were not asked.
   */
  resume?(found: readonly Found<Tally, Verdict>[], waiting: readonly string[]): readonly string[];
  /** Returns the reports that would be written of the findings. */
  texts(found: readonly Found<Tally, Verdict>[]): readonly { readonly path: string; readonly text: string }[];
  /** Returns the exit code that one engine's answers in one precision ask for. */
  codeOf(found: Found<Tally, Verdict>): ExitCode;
  /**
   * Ends a run that does more than print findings and write reports, and returns its exit code.
   * `programmable` are the engines that run programs.
   */
  end?(
    found: readonly Found<Tally, Verdict>[],
    terminal: Terminal,
    programmable: readonly string[],
  ): Promise<ExitCode>;
}
