/** Gaussian elimination as engines run it, in float64 or, with `round`, in a narrower format. */

/** Rows of numbers. */
export type Matrix = readonly (readonly number[])[];

/** An engine computes linear algebra with these. */
export interface Elimination {
  /** Rounds every operation. */
  round(x: number): number;
  /** Is true if rows are exchanged to bring the largest entry of a column to the front. */
  readonly pivots: boolean;
}

/** Returns the element of a matrix. */
export function get(x: Matrix, row: number, column: number): number {
  return x[row]?.[column] ?? Number.NaN;
}

export function matrix(
  rows: number,
  columns: number,
  entry: (row: number, column: number) => number,
): Matrix {
  return Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => entry(i, j)));
}

export function transpose(x: Matrix, columns: number): Matrix {
  return matrix(columns, x.length, (i, j) => get(x, j, i));
}

/** Computes X Y, or X Y + Z. */
export function product({ round }: Elimination, x: Matrix, y: Matrix, columns: number, z?: Matrix): Matrix {
  return matrix(x.length, columns, (i, j) => {
    let total = z === undefined ? 0 : get(z, i, j);
    for (let k = 0; k < y.length; k++) total = round(total + round(get(x, i, k) * get(y, k, j)));
    return total;
  });
}

/** L and U in one array of rows, the permutation they belong to, and the sign of that. */
function factored(
  { round, pivots }: Elimination,
  a: Matrix,
): { rows: number[][]; order: number[]; sign: number } {
  const n = a.length;
  const rows = a.map((row) => [...row]);
  const order = rows.map((_, i) => i);
  let sign = 1;
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k + 1; pivots && i < n; i++) {
      if (Math.abs(get(rows, i, k)) > Math.abs(get(rows, best, k))) best = i;
    }
    if (best !== k) {
      sign = -sign;
      [rows[k], rows[best]] = [rows[best] ?? [], rows[k] ?? []];
      [order[k], order[best]] = [order[best] ?? 0, order[k] ?? 0];
    }
    for (let i = k + 1; i < n; i++) {
      const row = rows[i] ?? [];
      const factor = round(get(rows, i, k) / get(rows, k, k));
      row[k] = factor;
      for (let j = k + 1; j < n; j++) row[j] = round((row[j] ?? 0) - round(factor * get(rows, k, j)));
    }
  }
  return { rows, order, sign };
}

/** Returns a⁻¹ B by forward and back substitution. */
export function solve(engine: Elimination, a: Matrix, b: Matrix, columns: number): Matrix {
  const { round } = engine;
  const { rows, order } = factored(engine, a);
  const n = a.length;
  const x = order.map((row) => [...(b[row] ?? [])]);
  const reduce = (i: number, k: number, j: number): void => {
    const row = x[i] ?? [];
    row[j] = round((row[j] ?? 0) - round(get(rows, i, k) * get(x, k, j)));
  };
  for (let j = 0; j < columns; j++) {
    for (let i = 0; i < n; i++) for (let k = 0; k < i; k++) reduce(i, k, j);
    for (let i = n - 1; i >= 0; i--) {
      for (let k = i + 1; k < n; k++) reduce(i, k, j);
      const row = x[i] ?? [];
      row[j] = round((row[j] ?? 0) / get(rows, i, i));
    }
  }
  return x;
}

/** The product of the pivots with the sign of the exchanges. */
export function det(engine: Elimination, a: Matrix): number {
  const { rows, sign } = factored(engine, a);
  return rows.reduce((total, row, i) => engine.round(total * (row[i] ?? 0)), sign);
}
