import {
  formatShape,
  isSameShape,
  ok,
  type Result,
  type Shape,
  type ShapeFault,
  shapeFault,
} from "../shapes/index.ts";
import { arrayApi, type NoAttributes, type Signature } from "./signature.ts";

/**
 * The most rows of a matrix that is solved for or whose determinant is taken. Both are defined by minors, of
 * which there are 2ⁿ: a definition that needs no pivot, and so no choice, costs that.
 */
const MAXIMUM_ORDER = 8;

/** A stack of square matrices `[...batch,n,n]`, taken apart; or why `shape` is none. */
function squareMatrices(shape: Shape): Result<{ readonly batch: Shape; readonly order: number }, ShapeFault> {
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

/** The signatures of linear algebra. */
export interface LinearAlgebra {
  readonly solve: Signature<"field", NoAttributes>;
  readonly det: Signature<"ring", NoAttributes>;
}

/** Systems of equations and determinants. */
export const linearAlgebra: LinearAlgebra = {
  solve: {
    needs: "field",
    arity: 2,
    attributes: {},
    smoothness: "smooth",
    shape(_attributes, [a = [], b = []]): Result<Shape, ShapeFault> {
      const matrices = squareMatrices(a);
      if (!matrices.ok) return matrices;
      const { batch, order } = matrices.value;
      const [rows, columns] = b.slice(-2);
      if (rows === undefined || columns === undefined) {
        return shapeFault("shape/rank", "the right-hand sides are a matrix.", "reshape a vector to a column");
      }
      if (rows !== order || !isSameShape(batch, b.slice(0, -2))) {
        return shapeFault(
          "shape/mismatch",
          `${formatShape(a)} and ${formatShape(b)} are no system of equations.`,
          "the shapes are [...batch,n,n] and [...batch,n,m]; make a broadcast explicit with broadcast_to",
        );
      }
      return ok(b);
    },
    summary:
      "the X with A X = B over the last two axes, for each entry of equal leading axes; parents are A, B",
    domain: "regular matrices A of at most 8 rows; elsewhere a division by zero",
    convention: "none needed",
    source: arrayApi("linalg.solve"),
  },
  det: {
    needs: "ring",
    arity: 1,
    attributes: {},
    smoothness: "smooth",
    shape(_attributes, [x = []]): Result<Shape, ShapeFault> {
      const matrices = squareMatrices(x);
      return matrices.ok ? ok(matrices.value.batch) : matrices;
    },
    summary:
      "the determinant over the last two axes, for each entry of the leading axes; 1 of a matrix without rows",
    domain: "everywhere, singular matrices too: it is a polynomial, and so is its derivative; at most 8 rows",
    convention: "none needed",
    source: arrayApi("linalg.det"),
  },
};
