import { build, get, type Numbers, type Place } from "./arrays.test.kit.ts";

type Matrix = readonly (readonly number[])[];

const at = (a: Matrix, row: number, column: number): number => a[row]?.[column] ?? 0;

/** `f` of each matrix in the last two axes of the operands; every result has `columns` columns. */
export function eachMatrix(
  operands: readonly [Numbers, ...Numbers[]],
  columns: number,
  f: (...matrices: readonly Matrix[]) => Matrix,
): Numbers {
  const [{ shape }] = operands;
  const matrixAt = (x: Numbers, lead: Place): Matrix =>
    Array.from({ length: x.shape.at(-2) ?? 0 }, (_, row) =>
      Array.from({ length: x.shape.at(-1) ?? 0 }, (_, column) => get(x, [...lead, row, column])),
    );
  return build([...shape.slice(0, -1), columns], (place) => {
    const lead = place.slice(0, -2);
    const [row = 0, column = 0] = place.slice(-2);
    return at(f(...operands.map((x) => matrixAt(x, lead))), row, column);
  });
}

/** X with A X = B, by elimination with partial pivoting and back substitution. */
export function eliminated(a: Matrix, b: Matrix): Matrix {
  const order = a.length;
  const rows = a.map((row, i) => [...row, ...(b[i] ?? [])]);
  for (let pivot = 0; pivot < order; pivot++) {
    const sizes = rows.map((row, i) => (i < pivot ? -1 : Math.abs(row[pivot] ?? 0)));
    const best = sizes.indexOf(Math.max(...sizes));
    [rows[pivot], rows[best]] = [rows[best] ?? [], rows[pivot] ?? []];
    for (let i = pivot + 1; i < order; i++) {
      const factor = at(rows, i, pivot) / at(rows, pivot, pivot);
      rows[i] = (rows[i] ?? []).map((x, j) => (j <= pivot ? 0 : x - factor * at(rows, pivot, j)));
    }
  }
  return substituted(
    rows.map((row) => row.slice(0, order)),
    rows.map((row) => row.slice(order)),
    true,
  );
}

/** X with T X = B, T the upper or lower triangle of A: each row from those found. */
export function substituted(a: Matrix, b: Matrix, upper: boolean): Matrix {
  const order = a.length;
  const found: number[][] = Array.from({ length: order }, () => []);
  for (let step = 0; step < order; step++) {
    const i = upper ? order - 1 - step : step;
    found[i] = (b[i] ?? []).map((right, column) => {
      let rest = right;
      for (let j = upper ? i + 1 : 0; j < (upper ? order : i); j++)
        rest -= at(a, i, j) * at(found, j, column);
      return rest / at(a, i, i);
    });
  }
  return found;
}

/** L with L Lᵀ = (A + Aᵀ)/2, row by row. */
export function choleskyFactor(a: Matrix): Matrix {
  const lower: number[][] = a.map((row) => row.map(() => 0));
  for (const [i, row] of lower.entries()) {
    for (let j = 0; j <= i; j++) {
      let rest = (at(a, i, j) + at(a, j, i)) / 2;
      for (let k = 0; k < j; k++) rest -= at(lower, i, k) * at(lower, j, k);
      row[j] = i === j ? Math.sqrt(rest) : rest / at(lower, j, j);
    }
  }
  return lower;
}

/** Returns the identity matrix. */
export function identity(order: number): Matrix {
  return Array.from({ length: order }, (_, i) => Array.from({ length: order }, (_, j) => (i === j ? 1 : 0)));
}

export function transposed(a: Matrix): Matrix {
  return a.map((_, i) => a.map((row) => row[i] ?? 0));
}
