import type { Scope, Value } from "../../../spec/builder/index.ts";
import { type Shape, sizeOf } from "../../../spec/shapes/index.ts";

/** A pattern is written with these beside the operators, which values have as methods. */
export interface Hand {
  /** The operators as functions. */
  readonly make: Scope;
  /**
   * Returns the attribute by which a compiler's rule matches; or another, in a planting that changes this
   * one. So every pattern is drawn as the rule wants it, and next to that, where the rule must not fire.
   */
  vary<T>(usual: T, ...others: readonly [T, ...T[]]): T;
  /** Draws one of `choices`, each equally likely. */
  one<T>(...choices: readonly [T, ...T[]]): T;
  /** Draws an axis of x. */
  axis(x: Value): number;
  /** Returns an operand of this shape: half of the time a constant of Δ, else a value of the graph. */
  other(shape: Shape): Value;
  /** Returns x itself; or, where this planting changes it, another operand of its shape. */
  again(x: Value): Value;
  /** Returns a constant of Δ. */
  constant(shape: Shape): Value;
  /** Returns the value itself if its elements are known to be positive, else something made of it that is. */
  positive(x: Value): Value;
  /** Declares an index entry of Δ of this shape: each row has a position below each of `limits`. */
  indices(shape: Shape, limits: readonly number[]): string;
  /** Declares the key of a random mask. */
  key(): string;
}

/** A pattern is what a compiler's rewrite looks for, or comes close to; it begins at `x`. */
export interface Fusion {
  /** `x` has at least this many axes. */
  readonly rank: number;
  plant(hand: Hand, x: Value): unknown;
}

/** Names patterns that begin at a value of one rank. */
export function ofRank(
  rank: number,
  patterns: Readonly<Record<string, Fusion["plant"]>>,
): ReadonlyMap<string, Fusion> {
  return new Map(Object.entries(patterns).map(([name, plant]) => [name, { rank, plant }]));
}

/** Lists all axes of x. */
export function axesOf({ shape }: Value): readonly number[] {
  return shape.map((_, axis) => axis);
}

/** Sums over all axes. */
export function total(x: Value): Value {
  return x.sum({ axes: axesOf(x), keepdims: false });
}

/** Returns the last extent, of a value that has axes. */
export function width({ shape }: Value): number {
  return shape.at(-1) ?? 1;
}

/** Returns the shape of one matrix that has all rows of x. */
export function folded({ shape }: Value): readonly [number, number] {
  return [sizeOf(shape.slice(0, -1)), shape.at(-1) ?? 1];
}

/** Returns the attributes of a slice along one axis; the others stay whole. */
export function along(
  { shape }: Value,
  axis: number,
  start: number,
  stop: number,
  step = 1,
): { readonly starts: number[]; readonly stops: number[]; readonly steps: number[] } {
  return {
    starts: shape.map((_, i) => (i === axis ? start : 0)),
    stops: shape.map((extent, i) => (i === axis ? stop : extent)),
    steps: shape.map((_, i) => (i === axis ? step : 1)),
  };
}

/** Returns the permutation that exchanges the last two axes. */
export function transposing({ shape: { length } }: Value): readonly number[] {
  return Array.from({ length }, (_, axis) => (axis < length - 2 ? axis : 2 * length - 3 - axis));
}

/** Turns matrices round. */
export function transposed(x: Value): Value {
  return x.permute_dims({ axes: transposing(x) });
}
