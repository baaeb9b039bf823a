import type { OperatorName } from "../../spec/composites/index.ts";
import { isSameShape, type Shape } from "../../spec/shapes/index.ts";
import { orderOf, type Ranged, rowSum } from "./dominance.ts";

/**
 * The number says how much more every diagonal entry of square matrices is, at least, than the sum of the
 * absolute values of the others in its row, and of those in its column. Then the symmetric part has no
 * smaller eigenvalue (Gershgorin), and each triangle is as far from singular. It is −∞ where nothing is
 * known.
 */
export type Definiteness = number;

/** This is what is known of an operand. */
interface Operand extends Ranged {
  readonly definiteness: Definiteness;
}

/** Nothing is known of such an operand, so that it is never taken for definite. */
export const unknownDefiniteness: Definiteness = Number.NEGATIVE_INFINITY;

/** Computes the definiteness of given elements. */
export function definitenessOf(elements: Float64Array, shape: Shape): Definiteness {
  const order = orderOf(shape);
  if (order === undefined) return unknownDefiniteness;
  let least = Number.POSITIVE_INFINITY;
  for (let matrix = 0; matrix < elements.length; matrix += order * order) {
    const entry = (row: number, column: number): number => elements[matrix + row * order + column] ?? 0;
    for (let i = 0; i < order; i++) {
      let [inRow, inColumn] = [0, 0];
      for (let j = 0; j < order; j++) {
        if (j === i) continue;
        inRow += Math.abs(entry(i, j));
        inColumn += Math.abs(entry(j, i));
      }
      least = Math.min(least, entry(i, i) - Math.max(inRow, inColumn));
    }
  }
  return least;
}

/** Estimates the definiteness of a node's value: a sum loses at most the other operand's row sum. */
export function definitenessOfNode(op: OperatorName, operands: readonly Operand[]): Definiteness {
  const [x, y] = operands;
  if (x === undefined) return unknownDefiniteness;
  if (op === "stop_gradient") return x.definiteness;
  if (y === undefined || !isSameShape(x.shape, y.shape)) return unknownDefiniteness;
  if (op === "subtract") return x.definiteness - rowSum(y);
  if (op === "add") return Math.max(x.definiteness - rowSum(y), y.definiteness - rowSum(x));
  return unknownDefiniteness;
}
