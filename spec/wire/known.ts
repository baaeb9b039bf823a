import type { OperatorName } from "../composites/index.ts";
import type { DataType } from "./precision.ts";
import type { BlameJson, WitnessJson } from "./verdict.ts";

/** A failure that somebody knows of: by what every case that shows it has in common. */
export type KnownFailure = KnownDisagreement | KnownCrash;

/** All known failures have these. */
interface KnownOf {
  /** The engine's name, as it says it itself. */
  readonly engine: string;
  /** The versions that fail so, as npm writes ranges: `>=2.15.0 <2.16.0`; `*` is all. */
  readonly versions: string;
  /** It means all precisions where it is left out. */
  readonly dtype?: DataType;
  /** The note is for people. */
  readonly note?: string;
  readonly link?: string;
}

/** A wrong number: who is to blame for what. */
export interface KnownDisagreement extends KnownOf {
  readonly kind: "disagrees";
  /** The operator to blame, or `input`. */
  readonly operator: OperatorName | "input";
  readonly part: BlameJson["part"];
  /** The failure needs these attributes, as the judge tells them; any if it is left out. */
  readonly attributes?: string;
  /** The mode or law that was asked; any where it is left out. */
  readonly question?: WitnessJson["question"];
}

/** A crash, by its message, in which `#` stands for every number. */
export interface KnownCrash extends KnownOf {
  readonly kind: "crashed";
  readonly message: string;
}

/** The failures that a project knows of, as a file. */
export interface KnownJson {
  readonly format: "adjudge.known.v1";
  readonly failures: readonly KnownFailure[];
}
