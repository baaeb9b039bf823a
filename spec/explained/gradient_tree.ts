import type { CoeffectJson, FigureJson } from "./coeffects.ts";
import type { SourcedJson } from "./representations.ts";

/** A sum that a gradient takes, and the width invariant of its accumulator. */
export interface AccumulationJson {
  readonly name: string;
  readonly terms: number;
  /** So many bits hold the sum and all its partial sums, with their sign. */
  readonly bitsNeeded: number;
  readonly fits: boolean;
}

/** A step from the graph to the loops that run, and what becomes of the statement that all sums fit. */
export interface StageJson {
  readonly name: string;
  /**
   * The statement restricts to what is there now, is made anew, or is broken by a step that claims to keep
   * it.
   */
  readonly kind: "restricts" | "anew" | "broken";
  /** The sums that no earlier statement covers. */
  readonly sums: readonly AccumulationJson[];
}

/** A mode on a target: its accumulator, and its memory in bytes. */
export interface TargetTreeJson {
  readonly target: string;
  /** The format of values there. */
  readonly format: string;
  readonly bitsEach: number;
  readonly quire: {
    readonly kind: "hardware" | "software" | "none";
    /** It lives within a sweep, in so many bytes, and cache lines where the target has such. */
    readonly place?: { readonly where: "stack"; readonly bytes: number; readonly cacheLines?: number };
    /** One multiply-add takes so many cycles, and who says so. */
    readonly multiplyAdd?: { readonly cycles: number; readonly source: string };
    readonly figures: readonly SourcedJson[];
  };
  /** Without a quire sums go into these, each with the number of sums; a float64 rounds each addition. */
  readonly accumulators: readonly { readonly accumulator: string; readonly sums: number }[];
  /** A sum is rounded at most so often: once with a quire; 0 is exact. */
  readonly roundings: number;
  /** The values of each class take so many bytes, and the most at once, beside what is given. */
  readonly classes: readonly {
    readonly class: CoeffectJson["classes"][number]["class"];
    readonly bytes: number;
  }[];
  readonly bytesAtOnce: number;
  /** The results keep so many certified digits, if formats are asked about. */
  readonly digits?: number;
  /** The format of the gradient, if formats are asked about. */
  readonly resultFormat?: string;
}

/** A gradient in a mode. */
export interface GradientModeJson {
  readonly mode: string;
  /** How good it is; or why the mode gives none, and then it is not told what it costs. */
  readonly quality: string;
  readonly isGiven: boolean;
  readonly sums: readonly AccumulationJson[];
  /** The ids of the proofs that all sums fit, in integers and in words. */
  readonly proofs: readonly string[];
  readonly stages: readonly StageJson[];
  readonly memory: FigureJson;
  /** What is kept for the way back: the tape. */
  readonly tape: FigureJson;
  /** So many computed values leave the sweep that makes them, results aside. */
  readonly escapes: number;
  readonly targets: readonly TargetTreeJson[];
}

/** One gradient: what it is measured in, and for each mode its accumulator, memory and targets. */
export interface GradientTreeJson {
  readonly of: string;
  readonly wrt: string;
  readonly elements: number;
  /** What it is measured in, where dimensions agree. */
  readonly measuredIn?: string;
  readonly accumulator: {
    readonly name: string;
    /** The format that is multiplied. */
    readonly codes: string;
    readonly bits: number;
    readonly bytes: number;
    /** A term below its last place is rounded as it enters; else all sums are exact. */
    readonly roundsTerms: boolean;
  };
  /** B has this length, if an axis is followed. */
  readonly axisLength?: number;
  readonly modes: readonly GradientModeJson[];
}

/** What a mode costs and gives, before anything runs. */
export interface SignatureJson {
  readonly mode: string;
  readonly memory: FigureJson;
  readonly quality: string;
  readonly tape: FigureJson;
  readonly escapes: { readonly values: number; readonly elements: number };
}

/** The table of signatures: B has this length, if an axis is followed. */
export interface SignaturesJson {
  readonly of: readonly string[];
  readonly wrt: readonly string[];
  readonly axisLength?: number;
  readonly modes: readonly SignatureJson[];
}
