import { ok, type Result } from "../result.ts";
import { formatShape, type Shape, type ShapeFault, shapeFault } from "../shape.ts";

/**
 * The most rows of a matrix that is solved for or whose determinant is taken. Both are defined by minors, of
 * which there are 2ⁿ: a definition that needs no pivot, and so no choice, costs that.
 */
const MAXIMUM_ORDER = 8;

/** A stack of square matrices `[...batch,n,n]`, taken apart; or why `shape` is none. */
export function squareMatrices(
  shape: Shape,
): Result<{ readonly batch: Shape; readonly order: number }, ShapeFault> {
  const [rows, columns] = shape.slice(-2);
  if (rows === undefined || columns === undefined) {
    return shapeFault(
      "shape/rank",
      "a matrix has at least two axes.",
      "reshape a number to a matrix of one row and one column",
    );
  }
  if (rows !== columns) {
    return shapeFault(
      "shape/mismatch",
      `${formatShape(shape)} is not square.`,
      "the shape is [...batch,n,n]",
    );
  }
  if (rows > MAXIMUM_ORDER) {
    return shapeFault(
      "shape/too-large",
      `a matrix of ${rows} rows has 2^${rows} minors; ${MAXIMUM_ORDER} rows are the most.`,
      "make the case smaller: an engine that is wrong on large matrices is mostly wrong on small ones",
    );
  }
  return ok({ batch: shape.slice(0, -2), order: rows });
}
