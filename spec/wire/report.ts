import type { OperatorName } from "../composites/index.ts";
import type { KnownFailure } from "./known.ts";
import type { DataType } from "./precision.ts";
import type { Accumulation, Conventions, Mode } from "./protocol.ts";
import type { LawName, VerdictJson } from "./verdict.ts";

/** How many cases ended in each kind of verdict. */
export type VerdictCounts = { readonly [K in VerdictJson["kind"]]: number };

/** What an engine says of itself, and by which it was judged. */
export interface ReportDescription {
  readonly name: string;
  readonly version: string;
  readonly language: string;
  readonly links: readonly string[];
  readonly modes: readonly Mode[];
  readonly conventions: Conventions;
  readonly accuracy: Partial<Readonly<Record<OperatorName, number>>>;
  readonly accumulation: Partial<Readonly<Record<OperatorName, Accumulation>>>;
}

/** One of several parts of the cases, each of which is asked by itself. */
export interface Shard {
  /** From 1 on. */
  readonly index: number;
  readonly count: number;
}

/** How much of what was asked for was asked. */
export interface ReportExtent {
  /** How many cases were asked for. */
  readonly cases: number;
  /** How many were put to the engine. */
  readonly asked: number;
  /** Why no more were. */
  readonly ended: "all" | "time" | "interrupted";
  /** How long it took, in whole seconds. */
  readonly seconds: number;
}

/** How an operator's promise was kept: by mode, the cases with it and those declined for it. */
export interface ReportPromise {
  readonly asked: number;
  readonly declined: Partial<Readonly<Record<Mode, number>>>;
}

/** How many numbers have how many whole decimal digits; what none has is left out. */
export type ReportHistogram = Readonly<Record<string, number>>;

/** The digits of numbers that agree: how many are right, 17 at most, and how many the bounds ask for. */
export interface ReportDigits {
  readonly right: ReportHistogram;
  readonly asked: ReportHistogram;
}

/** In how many cases a law held, followed from the truth, was undecided, or was broken. */
export interface ReportLaw {
  readonly holds: number;
  readonly follows: number;
  readonly undecided: number;
  readonly broken: number;
}

/** A promise declined in most of its cases; without an operator it is the mode's. */
export interface ReportBrokenPromise {
  readonly operator?: OperatorName;
  readonly mode: Mode;
  readonly asked: number;
  readonly declined: number;
}

/** What was found of one engine at one precision. */
export interface ReportSection {
  /** The engine as the command line names it. */
  readonly label: string;
  readonly description: ReportDescription;
  readonly dtype: DataType;
  /** What it comes to: `agrees` alone is green. */
  readonly outcome:
    | "agrees"
    | "disagrees"
    | "crashed"
    | "broken promises"
    | "too little"
    | "undecided"
    | "nothing";
  readonly extent: ReportExtent;
  readonly counts: VerdictCounts;
  /** For each operator, the counts of the cases in which it occurs. */
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
  /** What the engine offers and no answered case had. */
  readonly unasked: readonly OperatorName[];
  /** Of these, what the cases asked for have. */
  readonly unanswered: readonly OperatorName[];
  /** The digits of answers that agree, by operator and mode; left out in reports of earlier versions. */
  readonly digits?: Partial<Readonly<Record<OperatorName, Partial<Readonly<Record<Mode, ReportDigits>>>>>>;
  /** What became of the laws that were looked at; left out in reports of earlier versions. */
  readonly laws?: Partial<Readonly<Record<LawName, ReportLaw>>>;
  /** What is not `agrees`. */
  readonly verdicts: readonly ReportEntry[];
  /** The known failures that occurred, and how many cases each accounts for. */
  readonly known: readonly { readonly failure: KnownFailure; readonly cases: number }[];
}

/** A case and its verdict. */
export interface ReportEntry {
  /** Its index in the run, or its file in a suite. */
  readonly case: number | string;
  readonly verdict: VerdictJson;
  /** Whether that is known of the engine. */
  readonly isKnown: boolean;
}

/** How much of what is drawn has a profile: 1 is all. */
export interface ProfileShare {
  readonly profile: string;
  readonly share: number;
}

/** What a run of the judge found, as a file. */
export interface ReportJson {
  readonly format: "adjudge.report.v1";
  /** The version of adjudge. */
  readonly adjudge: string;
  /** Where the random cases were drawn from. */
  readonly seed: number;
  readonly cases: number;
  /** What the random questions were, where they were not cases of graphs: scripts for tapes. */
  readonly kind?: "tapes";
  /** The profile of the random cases, and on every which of them the laws were checked; 0 never. */
  readonly profile: string;
  readonly lawsEvery: number;
  /** Which operators the cases have one of, and none of, where not all were asked. */
  readonly selection?: {
    readonly operators: readonly OperatorName[];
    readonly excluded: readonly OperatorName[];
  };
  /** The part of the cases that was asked; all where it is left out. */
  readonly shard?: Shard;
  /** What the random cases were drawn from; empty where the cases came from files. */
  readonly shares: readonly ProfileShare[];
  readonly dtypes: readonly DataType[];
  readonly engines: readonly ReportSection[];
}
