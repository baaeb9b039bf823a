/** The least and the greatest number that each element of something given may be. */
export type RangeJson = readonly [least: number, greatest: number];

/** `adjudge.ranges.v1`: between which numbers lies what is given to a graph. */
export interface RangesJson {
  readonly format: "adjudge.ranges.v1";
  readonly note?: string;
  readonly inputs?: Readonly<Record<string, RangeJson>>;
  readonly environment?: Readonly<Record<string, RangeJson>>;
}

/** What a value was in all calls: its ends, and how many of its numbers have which binary exponent. */
export interface SeenJson {
  readonly name: string;
  /** Left out where no number was finite. */
  readonly range?: RangeJson;
  readonly zeros: number;
  /** So many were NaN or infinite. */
  readonly unknown: number;
  /** Of these exponents `e`, so many numbers were 2ᵉ ≤ |x| < 2ᵉ⁺¹. */
  readonly exponents: Readonly<Record<string, number>>;
}

/**
 * `adjudge.statistics.v1`: what the values of a graph and of its gradient were in calls of a training run.
 */
export interface StatisticsJson {
  readonly format: "adjudge.statistics.v1";
  readonly calls: number;
  readonly seed: number;
  /** After each call this many times the gradient was subtracted from what it is asked of. */
  readonly rate: number;
  /** Entries of Δ were between these. */
  readonly environment: Readonly<Record<string, RangeJson>>;
  readonly runs: readonly { readonly run: string; readonly values: readonly SeenJson[] }[];
}

/** A figure that is not ours to decide, and where it is from. */
export interface SourcedJson {
  readonly says: string;
  readonly source: string;
}

/** `adjudge.target.v1`: what a machine keeps numbers in, and what exact sums cost there. */
export interface TargetJson {
  readonly format: "adjudge.target.v1";
  readonly name: string;
  readonly note?: string;
  readonly formats: readonly { readonly name: string; readonly source: string }[];
  readonly quire: {
    readonly kind: "hardware" | "software" | "none";
    /** One multiply-add takes so many nanoseconds, where somebody has measured it. */
    readonly nanoseconds?: number;
    /** One multiply-add takes so many cycles, of posits of a format or of any, and who says so. */
    readonly cycles?: { readonly count: number; readonly of?: string; readonly source: string };
    readonly figures: readonly SourcedJson[];
  };
  /** Memory is cached in lines of so many bytes, and who says so. */
  readonly cacheLine?: { readonly bytes: number; readonly source: string };
}

/** A value of a run: its bounds, if known, and how many terms each element adds up. */
export interface RangedJson {
  readonly name: string;
  readonly elements: number;
  readonly range?: RangeJson;
  readonly terms?: number;
  /** This part of the numbers seen lay outside the range, which is one of statistics. */
  readonly outside?: number;
}

/** A result: its bounds, the certified error of storing all values, if known, and the digits left. */
export interface KeptResultJson {
  readonly name: string;
  readonly range?: RangeJson;
  readonly error?: number;
  readonly digits?: number;
}

/** The formats of all values on a target. */
export interface AssignmentJson {
  readonly target: string;
  /** Is true if the certified errors leave the digits that are asked for. */
  readonly isMet: boolean;
  /** Is true if no single value could have fewer bits with certified digits; false if not asked. */
  readonly isNarrowest: boolean;
  readonly bits: number;
  /** Each value has one; one that has none is named by a view, whose name is that of what it looks at. */
  readonly formats: readonly string[];
  readonly results: readonly KeptResultJson[];
  /** They make each sum exact: an integer or quire of so many bits; or a float64, which rounds. */
  readonly accumulators: readonly {
    readonly value: string;
    readonly terms: number;
    readonly accumulator: string;
  }[];
  readonly quire: {
    readonly kind: "hardware" | "software" | "none";
    readonly multiplyAdds: number;
    readonly nanoseconds?: number;
    readonly figures: readonly SourcedJson[];
  };
}

/** A run: the graph forward, its gradient as `adjudge derive` writes it, or a forward gradient. */
export interface RepresentedRunJson {
  readonly run: string;
  readonly values: readonly RangedJson[];
  readonly assignments: readonly AssignmentJson[];
}

/** A parameter that a target keeps as codes, and what a step by a gradient that is kept as codes asks for. */
export interface SteppedJson {
  readonly parameter: string;
  readonly target: string;
  readonly format: string;
  /** A call's gradient moves it by at most so many codes. */
  readonly moved: number;
  /** A kept gradient's codes have so many bits, symmetric or with a zero point. */
  readonly sym: number;
  readonly asym: number;
  /** A step in 32-bit integers divides by 2^shift, and is at most `off` codes from the exact one. */
  readonly integer?: { readonly shift: number; readonly off: number };
}

/** A step by `rate` times the sum of so many calls' gradients. */
export interface StepJson {
  readonly rate: number;
  readonly calls: number;
  readonly parameters: readonly SteppedJson[];
}

/** Values may be kept in these, so that results keep so many digits. */
export interface RepresentationsJson {
  readonly digits: number;
  /** Ranges are those of so many calls, with this part of each value's numbers within. */
  readonly seen?: { readonly calls: number; readonly share: number };
  readonly runs: readonly RepresentedRunJson[];
  readonly step?: StepJson;
}
