import type { OperatorName } from "../operators/index.ts";
import type { DataType } from "./precision.ts";
import type { VerdictJson } from "./verdict.ts";

/** How many cases ended in each kind of verdict. */
export type VerdictCounts = { readonly [K in VerdictJson["kind"]]: number };

/** What was found of one engine at one precision. */
export interface ReportSection {
  readonly description: {
    readonly name: string;
    readonly version: string;
    readonly language: string;
    readonly links: readonly string[];
  };
  readonly dtype: DataType;
  readonly counts: VerdictCounts;
  /** For each operator, the counts of the cases in which it occurs. */
  readonly operators: Partial<Readonly<Record<OperatorName, VerdictCounts>>>;
  /** What the engine promises and no answered case had. */
  readonly unasked: readonly OperatorName[];
  /** What is not `agrees`: the case's index in the run, or its file in a suite, and the verdict. */
  readonly verdicts: readonly { readonly case: number | string; readonly verdict: VerdictJson }[];
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
  /** What the random cases were drawn from; empty where the cases came from files. */
  readonly shares: readonly ProfileShare[];
  readonly dtypes: readonly DataType[];
  readonly engines: readonly ReportSection[];
}
