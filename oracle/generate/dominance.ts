import type { OperatorName } from "../../spec/composites/index.ts";
import { isSameShape, type Shape, sizeOf } from "../../spec/shapes/index.ts";

/**
 * This measures how far square matrices are from singular: in every row one entry exceeds in absolute value
 * the sum of the others by at least this much, and no two rows have it in one column. Then no row sum of the
 * inverse exceeds the reciprocal (Ahlberg and Nilson; Varah, "A lower bound for the smallest singular value
 * of a matrix", 1975). It is −∞ where nothing is known.
 */
export type Dominance = number;

/** A value of this shape has its elements in an interval. */
export interface Ranged {
  readonly least: number;
  readonly greatest: number;
  readonly shape: Shape;
}

/** This is what is known of an operand. */
interface Operand extends Ranged {
  readonly dominance: Dominance;
}

/** Nothing is known of such an operand, so that it is never taken for dominant. */
export const unknownDominance: Dominance = Number.NEGATIVE_INFINITY;

/** Returns n for a shape `[...,n,n]`, and `undefined` for any other. */
export function orderOf(shape: Shape): number | undefined {
  const columns = shape.at(-1);
  return shape.at(-2) === columns ? columns : undefined;
}

/** Computes the dominance of given elements. */
export function dominanceOf(elements: Float64Array, shape: Shape): Dominance {
  const order = orderOf(shape);
  if (order === undefined) return unknownDominance;
  let least = Number.POSITIVE_INFINITY;
  for (let matrix = 0; matrix < elements.length; matrix += order * order) {
    const columns = new Set<number>();
    for (let row = 0; row < order; row++) {
      const from = matrix + row * order;
      const sizes = Array.from(elements.subarray(from, from + order), Math.abs);
      const largest = Math.max(...sizes);
      columns.add(sizes.indexOf(largest));
      least = Math.min(least, 2 * largest - sizes.reduce((sum, size) => sum + size, 0));
    }
    if (columns.size < order) return unknownDominance;
  }
  return least;
}

/** Estimates the dominance of a node's value: a sum loses at most the other operand's row sum. */
export function dominanceOfNode(op: OperatorName, operands: readonly Operand[], shape: Shape): Dominance {
  const [x, y] = operands;
  if (sizeOf(shape) === 0 && orderOf(shape) === 0) return Number.POSITIVE_INFINITY;
  if (x === undefined) return unknownDominance;
  if (op === "negative" || op === "stop_gradient") return x.dominance;
  if ((op !== "add" && op !== "subtract") || y === undefined || !isSameShape(x.shape, y.shape)) {
    return unknownDominance;
  }
  return Math.max(x.dominance - rowSum(y), y.dominance - rowSum(x));
}

/** Bounds the sum of the absolute values of a row. */
export function rowSum({ least, greatest, shape }: Ranged): number {
  return (shape.at(-1) ?? 0) * Math.max(Math.abs(least), Math.abs(greatest));
}
