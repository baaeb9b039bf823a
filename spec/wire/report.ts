import type { OperatorName } from "../composites/index.ts";
import type { KnownFailure } from "./known.ts";
import type { DataType, SavedFormat } from "./precision.ts";
import type { Accumulation, Conventions, Limits, Mode } from "./protocol.ts";
import type { LawName, VerdictJson } from "./verdict.ts";

/** Counts the cases that ended in each kind of verdict. */
export type VerdictCounts = { readonly [K in VerdictJson["kind"]]: number };

/** An engine says this of itself, and was judged by it. */
export interface ReportDescription {
  readonly name: string;
  readonly version: string;
  readonly language: string;
  readonly links: readonly string[];
  readonly modes: readonly Mode[];
  readonly conventions: Conventions;
  readonly accuracy: Partial<Readonly<Record<OperatorName, number>>>;
  readonly accumulation: Partial<Readonly<Record<OperatorName, Accumulation>>>;
  readonly limits?: Limits;
  readonly slopes?: "accurate";
  readonly saved?: SavedFormat;
  readonly repeatable?: boolean;
}

/** One of several parts of the cases, each of which is asked by itself. */
export interface Shard {
  /** The index counts from 1. */
  readonly index: number;
  readonly count: number;
}

/** The extent says how much of what was asked for was asked. */
export interface ReportExtent {
  /** So many cases were asked for. */
  readonly cases: number;
  /** So many were put to the engine. */
  readonly asked: number;
  /** Why no more were. */
  readonly ended: "all" | "time" | "interrupted";
  /** The run took so many whole seconds. */
  readonly seconds: number;
}

/** It says how an operator's promise was kept: by mode, the cases with it and those declined for it. */
export interface ReportPromise {
  readonly asked: number;
  readonly declined: Partial<Readonly<Record<Mode, number>>>;
}

/** Counts the numbers that have so many whole decimal digits; what none has is left out. */
export type ReportHistogram = Readonly<Record<string, number>>;

/** The digits of numbers that agree: how many are right, 17 at most, and how many the bounds ask for. */
export interface ReportDigits {
  readonly right: ReportHistogram;
  readonly asked: ReportHistogram;
}

/** Counts the cases in which a law held, followed from the truth, was undecided, or was broken. */
export interface ReportLaw {
  readonly holds: number;
  readonly follows: number;
  readonly undecided: number;
  readonly broken: number;
}

/** So many numbers, in so many cases, agree without a right digit; the first of them is told. */
export interface ReportImprecise {
  readonly numbers: number;
  readonly cases: number;
  readonly first: {
    readonly case: number | string;
    readonly mode: Mode;
    readonly answer: string;
    readonly expected: string;
  };
}

/** A promise declined in most of its cases; without an operator it is the mode's. */
export interface ReportBrokenPromise {
  readonly operator?: OperatorName;
  readonly mode: Mode;
  readonly asked: number;
  readonly declined: number;
}

/** A section says what was found of one engine at one precision. */
export interface ReportSection {
  /** The engine as the command line names it. */
  readonly label: string;
  readonly description: ReportDescription;
  readonly dtype: DataType;
  /** The section comes to this: `agrees` alone is green. */
  readonly outcome:
    | "agrees"
    | "disagrees"
    | "crashed"
    | "broken promises"
    | "excused"
    | "too little"
    | "imprecise"
    | "undecided"
    | "nothing";
  readonly extent: ReportExtent;
  readonly counts: VerdictCounts;
  /** Counts, for each operator, the verdicts of the cases in which it occurs. */
  readonly operators: Partial<Readonly<Record<OperatorName, VerdictCounts>>>;
  readonly promises: Partial<Readonly<Record<OperatorName, ReportPromise>>>;
  /** The cases declined though each of their operators is granted alone, once for each operator, by mode. */
  readonly together: Partial<Readonly<Record<Mode, number>>>;
  readonly broken: readonly ReportBrokenPromise[];
  /** The operators of its handshake, and with the composites that it is asked as their expansions. */
  readonly promised: readonly OperatorName[];
  readonly offered: readonly OperatorName[];
  /** The cases with an operator that was never promised: they are nobody's fault. */
  readonly foreign: number;
  /** The engine offers these, and no answered case had them. */
  readonly unasked: readonly OperatorName[];
  /** Of these, the cases asked for have some. */
  readonly unanswered: readonly OperatorName[];
  /** The digits of answers that agree, by operator and mode; left out in reports of earlier versions. */
  readonly digits?: Partial<Readonly<Record<OperatorName, Partial<Readonly<Record<Mode, ReportDigits>>>>>>;
  /** It says what became of the laws that were looked at; left out in reports of earlier versions. */
  readonly laws?: Partial<Readonly<Record<LawName, ReportLaw>>>;
  /** Numbers that agree without a right digit, by operators whose slope may be taken from their value. */
  readonly imprecise?: Partial<Readonly<Record<OperatorName, ReportImprecise>>>;
  /**
   * Answers to one question differed from call to call in so many cases, by this part of the number at most,
   * though each may be right; left out in reports of earlier versions.
   */
  readonly varied?: { readonly cases: number; readonly most: number };
  /**
   * So many cases agree by an accuracy alone that is declared beyond √u of the value; left out in reports of
   * earlier versions.
   */
  readonly excused?: number;
  /** These verdicts are not `agrees`. */
  readonly verdicts: readonly ReportEntry[];
  /** The known failures that occurred, and how many cases each accounts for. */
  readonly known: readonly { readonly failure: KnownFailure; readonly cases: number }[];
}

/** A case and its verdict. */
export interface ReportEntry {
  /** Its index in the run, or its file in a suite. */
  readonly case: number | string;
  readonly verdict: VerdictJson;
  /** Is true if the verdict is known of the engine. */
  readonly isKnown: boolean;
}

/** The share of what is drawn that has a profile: 1 is all. */
export interface ProfileShare {
  readonly profile: string;
  readonly share: number;
}

/** It says when and how a run was started. */
export interface Invocation {
  /** The command line. */
  readonly command: string;
  /** The date in UTC, as ISO 8601 writes it. */
  readonly started: string;
  /** The version of Node.js. */
  readonly node: string;
}

/** A run of the judge found this; it is written as a file. */
export interface ReportJson {
  readonly format: "adjudge.report.v1";
  /** The version of adjudge. */
  readonly adjudge: string;
  /** Left out in merged reports and in those of earlier versions. */
  readonly invocation?: Invocation;
  /** The random cases were drawn from this. */
  readonly seed: number;
  readonly cases: number;
  /** It says what the random questions were, where they were not cases of graphs: scripts for tapes. */
  readonly kind?: "tapes";
  /** The profile of the random cases, and on every which of them the laws were checked; 0 never. */
  readonly profile: string;
  readonly lawsEvery: number;
  /** Where not all operators were asked, the cases have one of the first and none of the others. */
  readonly selection?: {
    readonly operators: readonly OperatorName[];
    readonly excluded: readonly OperatorName[];
  };
  /** Is there if numbers that agree without a right digit are not green. */
  readonly strict?: true;
  /** The part of the cases that was asked; all where it is left out. */
  readonly shard?: Shard;
  /** The random cases were drawn from these; empty where the cases came from files. */
  readonly shares: readonly ProfileShare[];
  readonly dtypes: readonly DataType[];
  readonly engines: readonly ReportSection[];
}
