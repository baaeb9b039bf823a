import { type Algorithm, type Float, item, type Row, rowAt } from "./algorithm.ts";
import { byRows, matrix, negated, product, transposed, triangle } from "./matrices.ts";

/** Factors are L and U in one matrix, the order of the rows and its sign, with pivoting or without. */
interface Factors {
  readonly rows: Row;
  readonly order: Row;
  readonly sign: number;
}

/** Factors a matrix by elimination. Source: Higham, §9.1, and LAPACK's dgetf2. */
function factored({ subtract, multiply, divide }: Float, a: Row, n: number, pivots: boolean): Factors {
  const l = a.slice();
  const order = Array.from({ length: n }, (_, i) => i);
  let sign = 1;
  const exchange = (i: number, k: number): void => {
    sign = -sign;
    for (let j = 0; j < n; j++) [l[i * n + j], l[k * n + j]] = [item(l, k * n + j), item(l, i * n + j)];
    [order[i], order[k]] = [item(order, k), item(order, i)];
  };
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k + 1; pivots && i < n; i++) {
      if (Math.abs(item(l, i * n + k)) > Math.abs(item(l, best * n + k))) best = i;
    }
    if (best !== k) exchange(best, k);
    for (let i = k + 1; i < n; i++) {
      const pivot = item(l, k * n + k);
      // A column of zeros has nothing to eliminate.
      const by = pivot === 0 ? 0 : divide(item(l, i * n + k), pivot);
      l[i * n + k] = by;
      for (let j = k + 1; j < n; j++)
        l[i * n + j] = subtract(item(l, i * n + j), multiply(by, item(l, k * n + j)));
    }
  }
  return { rows: l, order, sign };
}

/** Inverts a matrix. */
type Inversion = (float: Float, a: Row, n: number) => Row;

const eliminated =
  (pivots: boolean): Inversion =>
  (float, a, n) => {
    const { rows, order } = factored(float, a, n, pivots);
    const lower = matrix(n, n, (i, j) => (i === j ? 1 : j < i ? item(rows, i * n + j) : 0));
    const permuted = matrix(n, n, (i, j) => (item(order, i) === j ? 1 : 0));
    return byRows(float, triangle(rows, n, true), byRows(float, lower, permuted, n, false), n, true);
  };

/** Clears every column above and below. Source: Higham, §14.4, algorithm 14.4. */
const gaussJordan: Inversion = ({ subtract, multiply, divide }, a, n) => {
  const width = 2 * n;
  const w = matrix(n, width, (i, j) => (j < n ? item(a, i * n + j) : j - n === i ? 1 : 0)).slice();
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k + 1; i < n; i++) {
      if (Math.abs(item(w, i * width + k)) > Math.abs(item(w, best * width + k))) best = i;
    }
    for (let j = 0; j < width; j++) {
      [w[k * width + j], w[best * width + j]] = [item(w, best * width + j), item(w, k * width + j)];
    }
    const pivot = item(w, k * width + k);
    for (let j = 0; j < width; j++) w[k * width + j] = divide(item(w, k * width + j), pivot);
    for (let i = 0; i < n; i++) {
      const by = item(w, i * width + k);
      for (let j = 0; i !== k && j < width; j++) {
        w[i * width + j] = subtract(item(w, i * width + j), multiply(by, item(w, k * width + j)));
      }
    }
  }
  return matrix(n, n, (i, j) => item(w, i * width + n + j));
};

/** Drops a row and a column. */
function minor(a: Row, n: number, row: number, column: number): Row {
  return matrix(n - 1, n - 1, (i, j) => item(a, (i < row ? i : i + 1) * n + (j < column ? j : j + 1)));
}

/** Expands a determinant along the first row. */
function laplace(float: Float, a: Row, n: number): number {
  if (n === 1) return item(a, 0);
  let total = 0;
  for (let j = 0; j < n; j++) {
    const term = float.multiply(item(a, j), laplace(float, minor(a, n, 0, j), n - 1));
    total = j % 2 === 0 ? float.add(total, term) : float.subtract(total, term);
  }
  return n === 0 ? 1 : total;
}

/** Transposes the matrix of cofactors. */
function adjugate(float: Float, a: Row, n: number): Row {
  if (n === 1) return [1];
  return matrix(n, n, (i, j) => {
    const cofactor = laplace(float, minor(a, n, j, i), n - 1);
    return (i + j) % 2 === 0 ? cofactor : -cofactor;
  });
}

/** Divides cofactors by the determinant, as graphics libraries do. Source: Eigen, Inverse.h, sizes 1 to 4. */
const byCofactors: Inversion = (float, a, n) => {
  const reciprocal = float.divide(1, laplace(float, a, n));
  return adjugate(float, a, n).map((x) => float.multiply(x, reciprocal));
};

function inverse(name: string, source: string, invert: Inversion, turns: boolean = true): Algorithm {
  return {
    composite: "inv",
    name,
    source,
    answer(float, { operands, tangents, cotangent, order: n }) {
      const x = invert(float, rowAt(operands, 0), n);
      const turned = turns ? transposed(x, n, n) : x;
      const between = (left: Row, middle: Row, right: Row): Row =>
        negated(product(float, product(float, left, middle, n), right, n));
      return {
        value: x,
        tangent: between(x, rowAt(tangents, 0), x),
        cotangents: [between(turned, cotangent, turned)],
      };
    },
  };
}

export const inverses: readonly Algorithm[] = [
  inverse("LU", "Higham, §14.3, method A", eliminated(true)),
  inverse("Gauss–Jordan", "Higham, algorithm 14.4", gaussJordan),
  inverse("cofactors", "https://eigen.tuxfamily.org, Eigen/src/LU/InverseImpl.h", byCofactors),
];

export const wrongInverses: readonly Algorithm[] = [
  inverse("no pivots", "planted", eliminated(false)),
  inverse("a sweep that does not transpose", "planted", eliminated(true), false),
];

/** Computes c · det A · A⁻ᵀ and det A · tr(A⁻¹ Ȧ), by Jacobi's formula, or from cofactors. */
function determinant(
  name: string,
  source: string,
  known: (float: Float, a: Row, n: number) => { readonly value: number; readonly cofactors: Row },
): Algorithm {
  return {
    composite: "det",
    name,
    source,
    answer(float, { operands, tangents, cotangent, order: n }) {
      const { value, cofactors } = known(float, rowAt(operands, 0), n);
      return {
        value: [value],
        tangent: [float.dot(cofactors, rowAt(tangents, 0))],
        cotangents: [cofactors.map((x) => float.multiply(x, item(cotangent, 0)))],
      };
    },
  };
}

const byPivots =
  (pivots: boolean, sign: boolean) =>
  (float: Float, a: Row, n: number): { readonly value: number; readonly cofactors: Row } => {
    const factors = factored(float, a, n, pivots);
    const diagonal = Array.from({ length: n }, (_, i) => item(factors.rows, i * (n + 1)));
    const value = diagonal.reduce(float.multiply, sign ? factors.sign : 1);
    // A singular matrix has a gradient, but no inverse.
    if (value === 0) return { value, cofactors: transposed(adjugate(float, a, n), n, n) };
    const inverted = transposed(eliminated(pivots)(float, a, n), n, n);
    return { value, cofactors: inverted.map((x) => float.multiply(x, value)) };
  };

export const determinants: readonly Algorithm[] = [
  determinant("LU", "Higham, §14.6", byPivots(true, true)),
  determinant("Laplace", "Golub and Van Loan, §2.1.4", (float, a, n) => ({
    value: laplace(float, a, n),
    cofactors: transposed(adjugate(float, a, n), n, n),
  })),
];

export const wrongDeterminants: readonly Algorithm[] = [
  determinant("no pivots", "planted", byPivots(false, true)),
  determinant("the sign of the exchanges lost", "planted", byPivots(true, false)),
];
