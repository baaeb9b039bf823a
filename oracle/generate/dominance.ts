import type { OperatorName } from "../../spec/operators/index.ts";
import { isSameShape, type Shape, sizeOf } from "../../spec/shapes/index.ts";

/**
 * How far square matrices are from singular ones, as far as a growing graph can tell: in every row one entry exceeds
 * the sum of the others by at least this much, in absolute value, and no two rows have it in the same column. Then
 * no entry of the inverse, and no row of it in sum, exceeds the reciprocal (Ahlberg and Nilson; Varah, "A lower bound
 * for the smallest singular value of a matrix", 1975). −∞ where nothing is known.
 */
export type Dominance = number;

/** What is known of an operand. */
interface Operand {
  readonly least: number;
  readonly greatest: number;
  readonly shape: Shape;
  readonly dominance: Dominance;
}

export const unknownDominance: Dominance = Number.NEGATIVE_INFINITY;

/** The order of the matrices of a shape `[...,n,n]`; `undefined` of any other shape. */
export function orderOf(shape: Shape): number | undefined {
  const columns = shape.at(-1);
  return shape.at(-2) === columns ? columns : undefined;
}

/** Of numbers that are at hand. */
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

/** Of the value of a node: one that moves no element keeps it, and a sum loses at most what the other operand has. */
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

/** The most that the absolute values of a row add up to. */
function rowSum({ least, greatest, shape }: Operand): number {
  return (shape.at(-1) ?? 0) * Math.max(Math.abs(least), Math.abs(greatest));
}
