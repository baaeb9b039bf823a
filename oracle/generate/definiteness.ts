import type { OperatorName } from "../../spec/operators/index.ts";
import { isSameShape, type Shape } from "../../spec/shapes/index.ts";
import { orderOf } from "./dominance.ts";

/**
 * By how much, at least, every diagonal entry of square matrices exceeds the sum of the absolute values of the others in
 * its row, and of those in its column. Then the symmetric part has no eigenvalue below it (Gershgorin), and each
 * triangle is as far from singular. −∞ where nothing is known.
 */
export type Definiteness = number;

/** What is known of an operand. */
interface Operand {
  readonly least: number;
  readonly greatest: number;
  readonly shape: Shape;
  readonly definiteness: Definiteness;
}

export const unknownDefiniteness: Definiteness = Number.NEGATIVE_INFINITY;

/** Of numbers that are at hand. */
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

/** Of the value of a node: a sum loses at most what a row of the other operand adds up to. */
export function definitenessOfNode(op: OperatorName, operands: readonly Operand[]): Definiteness {
  const [x, y] = operands;
  if (x === undefined) return unknownDefiniteness;
  if (op === "stop_gradient") return x.definiteness;
  if (y === undefined || !isSameShape(x.shape, y.shape)) return unknownDefiniteness;
  if (op === "subtract") return x.definiteness - rowSum(y);
  if (op === "add") return Math.max(x.definiteness - rowSum(y), y.definiteness - rowSum(x));
  return unknownDefiniteness;
}

/** The most that the absolute values of a row add up to. */
function rowSum({ least, greatest, shape }: Operand): number {
  return (shape.at(-1) ?? 0) * Math.max(Math.abs(least), Math.abs(greatest));
}
