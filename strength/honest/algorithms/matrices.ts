import { type Float, item, type Row } from "./algorithm.ts";

/** This is what engines do with square matrices, which are stored row after row. */

/** Makes a matrix of this many rows and columns. */
export function matrix(rows: number, columns: number, entry: (i: number, j: number) => number): Row {
  return Array.from({ length: rows * columns }, (_, k) => entry(Math.floor(k / columns), k % columns));
}

export function transposed(a: Row, rows: number, columns: number): Row {
  return matrix(columns, rows, (i, j) => item(a, j * columns + i));
}

/** Computes A B, n × k by k × m. */
export function product(float: Float, a: Row, b: Row, inner: number): Row {
  const columns = inner === 0 ? 0 : b.length / inner;
  const rows = inner === 0 ? 0 : a.length / inner;
  return matrix(rows, columns, (i, j) =>
    float.dot(
      Array.from({ length: inner }, (_, k) => item(a, i * inner + k)),
      Array.from({ length: inner }, (_, k) => item(b, k * columns + j)),
    ),
  );
}

export function negated(a: Row): Row {
  return a.map((x) => -x);
}

/** Keeps a triangle with its diagonal, and zeros elsewhere. */
export function triangle(a: Row, n: number, upper: boolean): Row {
  return matrix(n, n, (i, j) => ((upper ? j >= i : j <= i) ? item(a, i * n + j) : 0));
}

/** Solves T X = B for a lower or an upper T. */
export type Substitution = (float: Float, t: Row, b: Row, n: number, upper: boolean) => Row;

/** Solves row by row. Source: Higham, algorithm 8.1. */
export const byRows: Substitution = (float, t, b, n, upper) => {
  const columns = b.length / n;
  const x = [...b];
  for (let step = 0; step < n; step++) {
    const i = upper ? n - 1 - step : step;
    for (let j = 0; j < columns; j++) {
      let rest = item(x, i * columns + j);
      for (let k = upper ? i + 1 : 0; k < (upper ? n : i); k++) {
        rest = float.subtract(rest, float.multiply(item(t, i * n + k), item(x, k * columns + j)));
      }
      x[i * columns + j] = float.divide(rest, item(t, i * n + i));
    }
  }
  return x;
};

/** Solves by columns with precomputed reciprocals. Source: OpenBLAS, kernel/generic/trsm_kernel_LN.c. */
export const byInvertedDiagonal: Substitution = (float, t, b, n, upper) => {
  const columns = b.length / n;
  const x = [...b];
  const reciprocals = Array.from({ length: n }, (_, i) => float.divide(1, item(t, i * n + i)));
  for (let step = 0; step < n; step++) {
    const k = upper ? n - 1 - step : step;
    for (let j = 0; j < columns; j++) {
      const solved = float.multiply(item(x, k * columns + j), item(reciprocals, k));
      x[k * columns + j] = solved;
      for (let i = upper ? 0 : k + 1; i < (upper ? k : n); i++) {
        const at = i * columns + j;
        x[at] = float.subtract(item(x, at), float.multiply(item(t, i * n + k), solved));
      }
    }
  }
  return x;
};
