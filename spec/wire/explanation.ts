import type { RepresentationsJson } from "./representations.ts";
/** A dimension of some elements of a value, in text. */
export interface BlockJson {
  /** Along each axis the first place and the one behind the last. */
  readonly ranges: readonly (readonly [start: number, end: number])[];
  readonly dimension: string;
  /** One unit is so many coherent units; left out where it is one, or not known. */
  readonly scale?: string;
}

/** A value, and what it is measured in. */
export interface MeasuredJson {
  readonly name: string;
  readonly blocks: readonly BlockJson[];
}

/** The cotangents of values, where the value with `of` is a loss, or is made one. */
export interface GradientsJson {
  readonly of: string;
  readonly cotangents: readonly MeasuredJson[];
}

/** A ground is an equation of an obstruction, in words. */
export interface GroundJson {
  readonly says: string;
  readonly reason: "result" | "agree" | "number" | "literal" | "declared";
  readonly id?: number;
  readonly pointer?: string;
  /** The equation goes into the contradictory sum so many times. */
  readonly times: string;
  /** These ids of bases and unknowns, each so many times, sum to zero. */
  readonly terms: readonly (readonly [id: number, times: string])[];
}

/** An obstruction shows why a system of equations has no solution. */
export interface ObstructionJson {
  readonly says: string;
  readonly id?: number;
  readonly left: string;
  readonly right: string;
  /** The first ids of terms are these bases. */
  readonly bases: readonly string[];
  /** The later ids of terms are these blocks of values. */
  readonly unknowns: readonly string[];
  readonly grounds: readonly GroundJson[];
}

/** The system as a sheaf: the ranks of its stalks, its coboundary's rows, and its cohomology. */
export interface SheafJson {
  readonly values: readonly { readonly name: string; readonly rank: number }[];
  readonly constraints: readonly { readonly name: string; readonly rank: number }[];
  readonly coboundary: readonly string[];
  readonly h0: number;
  readonly h1: number;
  readonly isMet: boolean;
}

/** The dimensions of a graph, or why there are none. */
export type DimensionsJson =
  | {
      readonly kind: "assigned";
      readonly bases: readonly string[];
      /** Blocks that nothing says the dimension of: others are told in terms of them. */
      readonly free: readonly string[];
      readonly inputs: readonly MeasuredJson[];
      readonly environment: readonly MeasuredJson[];
      readonly results: readonly MeasuredJson[];
      readonly gradients: readonly GradientsJson[];
      /** The scales of the units cannot agree, though their dimensions do, for this reason. */
      readonly scales?: ObstructionJson;
    }
  | { readonly kind: "obstructed"; readonly bases: readonly string[]; readonly obstruction: ObstructionJson };

/** A figure in elements, and how it grows with layers, `L`, and an axis, `B`, where that is known. */
export interface FigureJson {
  readonly now: number;
  readonly grows?: string;
  /** So it grows from this length of the axis on; left out where it does from 1 on. */
  readonly fromLength?: number;
  /** So it grows from this number of layers on; left out where it does from 1 on. */
  readonly fromLayers?: number;
}

/** A value that cannot stay where it is made, and the use that takes it out. */
export interface PromotionJson {
  readonly value: string;
  readonly class: "stack" | "arena" | "heap" | "static";
  readonly elements: number;
  /** Its lifetime, in steps of the run. */
  readonly from: number;
  readonly to: number;
  readonly because: string;
}

/** The escape classes of a mode as sheaves, one for each class that something may be promoted to. */
export interface EscapeSheafJson {
  /** So many values have storage of their own. */
  readonly storages: number;
  readonly thresholds: readonly {
    readonly below: PromotionJson["class"];
    /** The storages below the class: the rank of the global sections. */
    readonly h0: number;
    /** The uses that ask for what others ask for too. */
    readonly h1: number;
    /** The storages whose local section does not extend. */
    readonly obstructed: number;
  }[];
}

/** A mode of running a graph needs this memory. */
export interface CoeffectJson {
  readonly mode: string;
  readonly classes: readonly {
    readonly class: PromotionJson["class"];
    readonly values: number;
    readonly elements: number;
  }[];
  /** So much is kept for the reverse run, when it begins. */
  readonly kept: FigureJson;
  /** So much is held at once, at most. */
  readonly peak: FigureJson;
  /** A node is computed again so often. */
  readonly computedAgain: FigureJson;
  readonly promotions: readonly PromotionJson[];
  readonly sheaf?: EscapeSheafJson;
}

/** A graph's need of memory is known before it runs. */
export interface CoeffectsJson {
  /**
   * The nodes that come again: from which id of the expansion, how many, and how often. `count` has layers
   * beside them too, with the same operators and other shapes, another input or no activation at the end.
   */
  readonly layers?: {
    readonly first: number;
    readonly nodes: number;
    readonly count: number;
    readonly alike: number;
  };
  /** The axis that is followed; it is not where something cuts or joins along it. */
  readonly axis?: {
    readonly of: string;
    readonly axis: number;
    readonly length: number;
    readonly isFollowed: boolean;
  };
  readonly modes: readonly CoeffectJson[];
}

/** `adjudge.explanation.v1`: what is decided of a graph before it runs. */
export interface ExplanationJson {
  readonly format: "adjudge.explanation.v1";
  readonly dimensions: DimensionsJson;
  readonly sheaf?: SheafJson;
  readonly memory?: CoeffectsJson;
  readonly representations?: RepresentationsJson;
}
