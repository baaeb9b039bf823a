/** A figure in elements, and how it grows with layers, `L`, and an axis, `B`, where that is known. */
export interface FigureJson {
  readonly now: number;
  readonly grows?: string;
  /** So it grows from this length of the axis on; left out where it does from 1 on. */
  readonly fromLength?: number;
  /** So it grows from this number of layers on; left out where it does from 1 on. */
  readonly fromLayers?: number;
  /** So it grows up to this number of layers; left out where no number is known at which it does not. */
  readonly toLayers?: number;
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
