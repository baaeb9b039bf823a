import type { CoeffectsJson } from "./coeffects.ts";
import type { GradientTreeJson, SignaturesJson } from "./gradient_tree.ts";
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

/** `adjudge.explanation.v1`: what is decided of a graph before it runs. */
export interface ExplanationJson {
  readonly format: "adjudge.explanation.v1";
  readonly dimensions: DimensionsJson;
  readonly sheaf?: SheafJson;
  readonly memory?: CoeffectsJson;
  readonly representations?: RepresentationsJson;
  readonly gradients?: readonly GradientTreeJson[];
  readonly signatures?: SignaturesJson;
}
