import type { Engine } from "../../spec/contract/index.ts";
import type { Budget } from "../../spec/expansion/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { SearchTime } from "./search_time.ts";

/** An engine answered this question wrongly, and `finding` says how. */
export interface Wrong<Question, Finding> {
  readonly question: Question;
  readonly finding: Finding;
}

/** Verdicts of every kind of question say which one they are. */
export interface Kinded {
  readonly kind: string;
}

/** Asking leads to a verdict, or to a finding that has still to be made smaller and blamed. */
export type Answered<Finding, Verdict> =
  | {
      readonly verdict: Verdict;
      /** The engine ended before it answered: while this answer was due, or another one. */
      readonly lost?: "due" | "in passing";
    }
  | { readonly finding: Finding };

/** A question of any kind may end so before it has a verdict of its own kind. */
export type Ended =
  | { readonly kind: "undecided"; readonly cause: string }
  | { readonly kind: "unsupported"; readonly reason: string };

/** These options say how a question of any kind is judged. */
export interface JudgingOptions<Verdict> {
  readonly dtype: DataType;
  /** At most this many smaller questions are tried on a disagreement; 0 keeps the question as it is. */
  readonly shrinkBudget?: number;
  /** The truth may take this much; a question over it is unsupported, and the engine is not asked. */
  readonly budget?: Budget;
  /** Tells if time is over: a truth not known by then is undecided, a disagreement stands as found. */
  readonly isOver?: () => boolean;
  /** Searches for smaller questions may take so much of a run's time; any by default. */
  readonly search?: SearchTime;
  /** The campaign remembers this, which saves searches for smaller questions. */
  readonly memory?: Memory<Verdict>;
}

/** A memory keeps what a campaign has learned from its verdicts. */
export interface Memory<Verdict> {
  /** Tells whether an accusation is known well enough to save the search for a smaller question. */
  isKnown(verdict: Verdict): boolean;
  /** Hears of each verdict when it is final. */
  note(verdict: Verdict): void;
}

/** A search looks for a smaller question still answered wrongly; its parts share one budget of questions. */
export interface Search<Question, Finding> {
  /** Tells whether another question may be tried. */
  isOpen(): boolean;
  /** Returns the smallest question found; `undefined` if the wrong answer does not repeat. */
  smallest(wrong: Wrong<Question, Finding>): Promise<Wrong<Question, Finding> | undefined>;
}

/**
 * A kind of question says how engines are asked it, how it is made smaller, and what is blamed; `judgeBy`
 * makes verdicts of that. Nothing here rejects for what an engine does; all may throw `Exhausted`.
 */
export interface Kind<Question, Finding, Verdict, Options> {
  /** This many smaller questions are tried unless the options say otherwise. */
  readonly shrinkBudget: number;
  /** Lists the graphs that are evaluated as a whole. */
  graphsOf(question: Question): readonly Graph[];
  /** Puts a question to an engine: the one that came, or another one in its place. */
  ask(
    engine: Engine,
    question: Question,
    options: Options,
    which: "as it came" | "another",
  ): Promise<Answered<Finding, Verdict>>;
  /** Returns a smaller question that still `fails`, after `budget` tries at most; else the question. */
  shrink(
    question: Question,
    fails: (smaller: Question) => Promise<boolean>,
    budget: number,
  ): Promise<Question>;
  /**
   * Returns the verdict on a wrong answer, with what is to blame. With a `search` it may look for smaller
   * questions, and returns `undefined` if the wrong answer does not repeat.
   */
  blame(
    engine: Engine,
    wrong: Wrong<Question, Finding>,
    options: Options,
    search?: Search<Question, Finding>,
  ): Promise<Verdict | undefined>;
  /** Returns the verdict on a wrong answer if nothing is left to find out what is to blame. */
  blameHastily(wrong: Wrong<Question, Finding>, exhausted: string): Verdict;
  /** Tells whether a question stays as it is, since a smaller one would not be answered wrongly so. */
  isKept?(wrong: Wrong<Question, Finding>, options: Options): boolean;
  /** Changes the verdict on a wrong answer that does not repeat; with it an unshrunk one is asked again. */
  unrepeated?(verdict: Verdict): Verdict;
  /** Returns the verdict with a smaller question of the same error, if engines survive that error. */
  shrinkError?(
    engine: Engine,
    question: Question,
    verdict: Verdict,
    options: Options,
  ): Promise<Verdict | undefined>;
}
