import type { Value } from "../construction/value.ts";
import { arrayApi, type NoAttributes } from "../operators/index.ts";
import { formatShape, isSameShape, type Shape, type ShapeFault } from "../shapes/index.ts";
import type { Composite } from "./composite.ts";
import { identityMatrix } from "./matrices.ts";
import { refuseNotSquare } from "./refusals.ts";
import { extentOf, joined, sliceAlong } from "./slices.ts";

/** The attribute says whether the upper triangle is meant rather than the lower. */
export interface TriangleAttributes {
  readonly upper: boolean;
}

/** The solution for the columns of the identity. */
export const inv: Composite<NoAttributes> = {
  arity: 1,
  attributes: {},
  smoothness: "smooth",
  summary: "the inverse over the last two axes, for each entry of the leading axes",
  domain: "regular matrices, of as many rows as solve takes; elsewhere a division by zero",
  convention: "none needed",
  source: arrayApi("linalg.inv"),
  refuse: (_attributes, [a = []]) => refuseNotSquare(a),
  example: { attributes: {}, operands: [[2, 2]] },
  expand: (scope, _attributes, a) => {
    const identity = identityMatrix(scope, a.shape.at(-1) ?? 0);
    return a.solve(identity.broadcast_to({ shape: a.shape }));
  },
};

/**
 * The factor is found column by column: what the columns before leave of the next one, divided by the root of
 * its first element. Source: Golub and Van Loan, Matrix Computations, §4.2.
 */
export const cholesky: Composite<TriangleAttributes> = {
  arity: 1,
  attributes: { upper: { type: "boolean" } },
  smoothness: "smooth",
  summary:
    "the lower triangular L with a positive diagonal and L Lᵀ = (A + Aᵀ)/2 over the last two axes; or its transpose",
  domain:
    "where (A + Aᵀ)/2 is positive definite; elsewhere a root of a negative number or a division by zero",
  convention: "A stands for its symmetric part, so the cotangent is symmetric",
  source: arrayApi("linalg.cholesky"),
  refuse: (_attributes, [a = []]) => refuseNotSquare(a),
  example: { attributes: { upper: false }, operands: [[2, 2]] },
  expand: (_scope, { upper }, a) => {
    const symmetric = a.add(transposed(a)).divide(2);
    const [first, ...others] = columnsOfFactor(symmetric);
    if (first === undefined) return symmetric;
    const lower = joined([first, ...others], a.shape.length - 1);
    return upper ? transposed(lower) : lower;
  },
};

/** The solution is found row by row, each from those found before. */
export const triangularSolve: Composite<TriangleAttributes> = {
  arity: 2,
  attributes: { upper: { type: "boolean" } },
  smoothness: "smooth",
  summary: "the X with T X = B over the last two axes, T the lower or upper triangle of A; parents are A, B",
  domain: "where the diagonal of A has no zero; elsewhere a division by zero",
  convention: "the other triangle of A is not read, and its cotangent is zero",
  source: "https://openxla.org/stablehlo/spec#triangular_solve",
  refuse: (_attributes, [a = [], b = []]) => refuseNotSquare(a) ?? refuseNoSystem(a, b),
  example: {
    attributes: { upper: false },
    operands: [
      [2, 2],
      [2, 1],
    ],
  },
  expand: (_scope, { upper }, a, b) => {
    const rowAxis = a.shape.length - 2;
    const order = extentOf(a, rowAxis);
    let found: Value | undefined;
    for (let step = 0; step < order; step++) {
      const row = upper ? order - 1 - step : step;
      const coefficients = sliceAlong(a, rowAxis, row, row + 1);
      const pivot = sliceAlong(coefficients, rowAxis + 1, row, row + 1);
      const right = sliceAlong(b, rowAxis, row, row + 1);
      if (found === undefined) {
        found = right.divide(pivot);
        continue;
      }
      const known = sliceAlong(coefficients, rowAxis + 1, upper ? row + 1 : 0, upper ? order : row);
      const solved: Value = right.subtract(known.matmul(found)).divide(pivot);
      found = upper ? joined([solved, found], rowAxis) : joined([found, solved], rowAxis);
    }
    return found ?? b;
  },
};

/** Refuses right-hand sides that are no `[...batch,n,m]` to `[...batch,n,n]`. */
function refuseNoSystem(a: Shape, b: Shape): ShapeFault | undefined {
  if (a.length === b.length && isSameShape(a.slice(0, -1), b.slice(0, -1))) return undefined;
  return {
    code: "shape/mismatch",
    message: `${formatShape(a)} and ${formatShape(b)} are no system of equations.`,
    hint: "the shapes are [...batch,n,n] and [...batch,n,m]; make a broadcast explicit with broadcast_to",
  };
}

/** The last two axes exchanged. */
function transposed(a: Value): Value {
  const { length: rank } = a.shape;
  return a.permute_dims({ axes: [...Array(rank - 2).keys(), rank - 1, rank - 2] });
}

/** Returns the columns of the Cholesky factor of a symmetric matrix, each whole: with its zeros. */
function columnsOfFactor(symmetric: Value): Value[] {
  const rowAxis = symmetric.shape.length - 2;
  const order = extentOf(symmetric, rowAxis);
  const columns: Value[] = [];
  for (let column = 0; column < order; column++) {
    const below = sliceAlong(sliceAlong(symmetric, rowAxis, column, order), rowAxis + 1, column, column + 1);
    const known = explained(columns, rowAxis, column, order);
    const rest = known === undefined ? below : below.subtract(known);
    const scaled = rest.divide(sliceAlong(rest, rowAxis, 0, 1).sqrt());
    columns.push(column === 0 ? scaled : pushedDown(scaled, rowAxis, column));
  }
  return columns;
}

/** Sums what the columns so far contribute to the elements of `column` from its diagonal on. */
function explained(
  columns: readonly Value[],
  rowAxis: number,
  column: number,
  order: number,
): Value | undefined {
  const [first, ...others] = columns;
  if (first === undefined) return undefined;
  const factor = joined([first, ...others], rowAxis + 1);
  const row = sliceAlong(factor, rowAxis, column, column + 1);
  return sliceAlong(factor, rowAxis, column, order).matmul(transposed(row));
}

/** Zeros above. */
function pushedDown(x: Value, axis: number, places: number): Value {
  const none = x.shape.map(() => 0);
  return x.pad({ low: none.with(axis, places), high: none, interior: none });
}
