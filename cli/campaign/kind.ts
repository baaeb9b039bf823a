import type { Extent, JudgeOptions } from "../../oracle/judge/index.ts";
import type { Description, Engine } from "../../spec/contract/index.ts";
import type { OperatorName } from "../../spec/operators/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { ExitCode, KindCounts } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What judging a question may take. */
export type Limits = Required<Pick<JudgeOptions, "budget" | "isOver">>;

/** What one engine is asked, in which order. */
export interface Agenda<Judged> {
  /** How many questions these are. */
  readonly cases: number;
  /** The operators of the questions, as far as they were looked at. */
  readonly operators: ReadonlySet<OperatorName>;
  /** So many of the first questions have all of these. */
  readonly covering: number;
  /** Puts them to an engine, but for the first so many; each has an index or a file for its place. */
  ask(
    engine: Engine,
    dtype: DataType,
    limits: Limits,
    first: number,
  ): AsyncGenerator<{ readonly place: number | string; readonly judged: Judged }>;
}

/** What one engine was asked in one precision, and what came of it so far. */
export interface Found<Tally, Verdict> {
  /** How the command line names the engine. */
  readonly label: string;
  readonly description: Description;
  /** The operators of its handshake. */
  readonly promised: readonly OperatorName[];
  readonly dtype: DataType;
  readonly tally: Tally;
  readonly extent: Extent;
  /** What is told one by one, each with its index or file. */
  readonly verdicts: readonly { readonly case: number | string; readonly verdict: Verdict }[];
}

/** A judged question: whatever else is known of it, there is a verdict. */
export interface WithVerdict<Verdict> {
  readonly verdict: Verdict;
}

/**
 * A kind of question on the command line: what engines are asked, how their verdicts are counted, and how they are told. Asking them one after the
 * other, for so long, telling how far it is, and what is known when it is interrupted, is the same for all: `runCampaign`.
 */
export interface Campaign<Tally, Verdict, Judged extends WithVerdict<Verdict>> {
  /** Why an engine is asked nothing of this kind. */
  lacking?(engine: Engine): string | undefined;
  /** The precisions that are asked of an engine. */
  dtypesOf(engine: Engine): readonly DataType[];
  agendaOf(engine: Engine): Agenda<Judged>;
  readonly noTally: Tally;
  tallied(tally: Tally, judged: Judged): Tally;
  countsOf(tally: Tally): KindCounts;
  /** The questions that are nobody's fault, since they ask for what was never promised. */
  foreignOf?(tally: Tally): number;
  /** Whether a verdict is told by itself, and not only counted. */
  isTold(verdict: Verdict): boolean;
  /** Prints what was found. */
  print(found: readonly Found<Tally, Verdict>[], terminal: Terminal): void;
  /** The reports that would be written of it. */
  texts(found: readonly Found<Tally, Verdict>[]): readonly { readonly path: string; readonly text: string }[];
  /** The exit code that one engine's answers in one precision ask for. */
  codeOf(found: Found<Tally, Verdict>): ExitCode;
  /**
   * Ends a run where there is more to do than to print what was found and to write the reports; the exit code that it asks for. `programmable` are the engines that
   * run programs.
   */
  end?(
    found: readonly Found<Tally, Verdict>[],
    terminal: Terminal,
    programmable: readonly string[],
  ): Promise<ExitCode>;
}
