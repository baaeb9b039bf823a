import type { Engine } from "../../spec/contract/index.ts";
import type { Budget, Graph } from "../../spec/graph/index.ts";
import type { DataType } from "../../spec/wire/index.ts";

/** A question that an engine has answered wrongly, and what of the answer is wrong. */
export interface Wrong<Question, Finding> {
  readonly question: Question;
  readonly finding: Finding;
}

/** What asking led to: a verdict, or something wrong that has still to be made smaller and blamed. */
type Asked<Finding, Verdict> = { readonly verdict: Verdict } | { readonly finding: Finding };

/** How a question of any kind may end before there is a verdict of its own kind. */
export type Ended =
  | { readonly kind: "undecided"; readonly cause: string }
  | { readonly kind: "unsupported"; readonly reason: string };

/** How a question of any kind is judged. */
export interface JudgingOptions<Verdict> {
  readonly dtype: DataType;
  /** How many smaller questions may be tried on a disagreement; 0 keeps the question as it is. */
  readonly shrinkBudget?: number;
  /** What the truth may take; a question over it is unsupported, and the engine is not asked. */
  readonly budget?: Budget;
  /** Whether the time is over. A question whose truth is not known by then is undecided; a disagreement stands as it was found. */
  readonly isOver?: () => boolean;
  /** What the campaign remembers, by which the search for smaller questions is saved. */
  readonly memory?: Memory<Verdict>;
}

/** What a campaign remembers of its verdicts. */
export interface Memory<Verdict> {
  /** Whether what a verdict accuses an engine of is known well enough to save the search for a smaller question. */
  isKnown(verdict: Verdict): boolean;
  /** Hears of each verdict when it is final. */
  note(verdict: Verdict): void;
}

/** The search for a smaller question that is still answered wrongly. All of its parts share one budget of questions. */
export interface Search<Question, Finding> {
  /** Whether another question may be tried. */
  isOpen(): boolean;
  /** The smallest question found; `undefined` where the wrong answer does not repeat. */
  smallest(wrong: Wrong<Question, Finding>): Promise<Wrong<Question, Finding> | undefined>;
}

/**
 * A kind of question that engines are asked: how one is put to an engine, made smaller and blamed. `judgeBy` makes a verdict of these, within limits of
 * time and memory, in one way for all kinds. Nothing here rejects for what an engine does; all of it may throw `Exhausted`.
 */
export interface Kind<Question, Finding, Verdict, Options> {
  /** How many smaller questions are tried unless the options say otherwise. */
  readonly shrinkBudget: number;
  /** The graphs that are evaluated as a whole. */
  graphsOf(question: Question): readonly Graph[];
  /** Puts a question to an engine: the one that came, or another one in its place. */
  ask(
    engine: Engine,
    question: Question,
    options: Options,
    which: "as it came" | "another",
  ): Promise<Asked<Finding, Verdict>>;
  /** A smaller question that still `fails`, after at most `budget` of them; the question itself where there is none. */
  shrink(
    question: Question,
    fails: (smaller: Question) => Promise<boolean>,
    budget: number,
  ): Promise<Question>;
  /**
   * The verdict on a wrong answer, with what is to blame. With a `search` it may look for smaller questions on the way, and is `undefined` where the wrong
   * answer then does not repeat.
   */
  blame(
    engine: Engine,
    wrong: Wrong<Question, Finding>,
    options: Options,
    search?: Search<Question, Finding>,
  ): Promise<Verdict | undefined>;
  /** The verdict on a wrong answer where nothing is left to find out what is to blame. */
  blameHastily(wrong: Wrong<Question, Finding>, exhausted: string): Verdict;
  /** Whether a question stays as it is, whatever is wrong with the answer. */
  isKept?(question: Question, options: Options): boolean;
  /** What becomes of the verdict on a wrong answer that does not repeat; with it a question is asked again where none is smaller. */
  unrepeated?(verdict: Verdict): Verdict;
  /** The verdict with a smaller question that leads to the same error; nothing where it is about no error that an engine lives on after. */
  shrinkError?(
    engine: Engine,
    question: Question,
    verdict: Verdict,
    options: Options,
  ): Promise<Verdict | undefined>;
}
