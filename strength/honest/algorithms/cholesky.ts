import {
  type Algorithm,
  type Answer,
  type Float,
  item,
  type Question,
  type Row,
  rowAt,
} from "./algorithm.ts";
import { byInvertedDiagonal, byRows, matrix, product, type Substitution, transposed } from "./matrices.ts";

/** Computes a lower factor of a symmetric matrix. */
type Factorization = (float: Float, a: Row, n: number) => Row;

/** Takes inner products, entry by entry. Source: Higham, algorithm 10.2. */
const byEntries: Factorization = ({ subtract, multiply, divide, sqrt }, a, n) => {
  const l: number[] = matrix(n, n, () => 0).slice();
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let rest = item(a, i * n + j);
      for (let k = 0; k < j; k++) rest = subtract(rest, multiply(item(l, i * n + k), item(l, j * n + k)));
      l[i * n + j] = i === j ? sqrt(rest) : divide(rest, item(l, j * n + j));
    }
  }
  return l;
};

/** Updates the rest after each column, by reciprocals. Source: LAPACK's dpotf2; Golub, Van Loan, §4.2.5. */
const byColumns: Factorization = ({ subtract, multiply, divide, sqrt }, a, n) => {
  const l: number[] = a.slice();
  for (let j = 0; j < n; j++) {
    const pivot = sqrt(item(l, j * n + j));
    const reciprocal = divide(1, pivot);
    l[j * n + j] = pivot;
    for (let i = j + 1; i < n; i++) l[i * n + j] = multiply(item(l, i * n + j), reciprocal);
    for (let k = j + 1; k < n; k++) {
      for (let i = k; i < n; i++) {
        l[i * n + k] = subtract(item(l, i * n + k), multiply(item(l, i * n + j), item(l, k * n + j)));
      }
    }
  }
  return matrix(n, n, (i, j) => (j <= i ? item(l, i * n + j) : 0));
};

/** Returns the lower triangle with half the diagonal. */
function halved(a: Row, n: number): Row {
  return matrix(n, n, (i, j) => (i === j ? item(a, i * n + j) / 2 : j < i ? item(a, i * n + j) : 0));
}

function symmetric({ add }: Float, a: Row, n: number): Row {
  return matrix(n, n, (i, j) => add(item(a, i * n + j), item(a, j * n + i)) / 2);
}

/** Differentiates a factor: its tangent along a symmetric one, and the lower triangle's raw cotangent. */
interface Slopes {
  tangent(float: Float, l: Row, aDot: Row, n: number): Row;
  cotangent(float: Float, l: Row, bar: Row, n: number): Row;
}

/** Computes L Φ(L⁻¹ Ȧ L⁻ᵀ) and L⁻ᵀ Φ(Lᵀ L̄) L⁻¹. Source: Murray, 2016, (8) and (10). */
function bySolving(solve: Substitution): Slopes {
  return {
    tangent(float, l, aDot, n) {
      const once = solve(float, l, aDot, n, false);
      const inner = solve(float, l, transposed(once, n, n), n, false);
      return product(float, l, halved(inner, n), n);
    },
    cotangent(float, l, bar, n) {
      const turned = transposed(l, n, n);
      const inner = halved(product(float, turned, bar, n), n);
      const once = solve(float, turned, inner, n, true);
      return transposed(solve(float, turned, transposed(once, n, n), n, true), n, n);
    },
  };
}

/** Differentiates the unblocked algorithm by entries. Source: Murray, arXiv:1602.07527; Smith, 1995. */
const entryByEntry: Slopes = {
  tangent(float, l, aDot, n) {
    const { subtract, multiply, divide, add } = float;
    const dot: number[] = matrix(n, n, () => 0).slice();
    for (let j = 0; j < n; j++) {
      for (let i = j; i < n; i++) {
        let rest = item(aDot, i * n + j);
        for (let k = 0; k < j; k++) {
          const one = multiply(item(dot, i * n + k), item(l, j * n + k));
          const other = multiply(item(l, i * n + k), item(dot, j * n + k));
          rest = subtract(rest, add(one, other));
        }
        const pivot = item(l, j * n + j);
        dot[i * n + j] =
          i === j
            ? divide(rest, multiply(2, pivot))
            : divide(subtract(rest, multiply(item(l, i * n + j), item(dot, j * n + j))), pivot);
      }
    }
    return dot;
  },
  cotangent(float, l, bar, n) {
    const { subtract, multiply, divide } = float;
    const lBar: number[] = bar.slice();
    const aBar: number[] = matrix(n, n, () => 0).slice();
    for (let j = n - 1; j >= 0; j--) {
      const pivot = item(l, j * n + j);
      for (let i = n - 1; i > j; i--) {
        const c = divide(item(lBar, i * n + j), pivot);
        aBar[i * n + j] = c;
        lBar[j * n + j] = subtract(item(lBar, j * n + j), multiply(c, item(l, i * n + j)));
        for (let k = 0; k < j; k++) {
          lBar[i * n + k] = subtract(item(lBar, i * n + k), multiply(c, item(l, j * n + k)));
          lBar[j * n + k] = subtract(item(lBar, j * n + k), multiply(c, item(l, i * n + k)));
        }
      }
      const c = divide(item(lBar, j * n + j), multiply(2, pivot));
      aBar[j * n + j] = c;
      for (let k = 0; k < j; k++) {
        lBar[j * n + k] = subtract(item(lBar, j * n + k), multiply(2, multiply(c, item(l, j * n + k))));
      }
    }
    return aBar;
  },
};

function cholesky(
  name: string,
  source: string,
  factor: Factorization,
  { tangent, cotangent }: Slopes,
  change: (answer: Answer, question: Question) => Answer = (answer) => answer,
): Algorithm {
  return {
    composite: "cholesky",
    name,
    source,
    answer(float, question) {
      const { operands, tangents, order: n, upper } = question;
      const turn = (x: Row): Row => (upper ? transposed(x, n, n) : x);
      const l = factor(float, symmetric(float, rowAt(operands, 0), n), n);
      const bar = turn(question.cotangent).map((c, k) => (k % n <= Math.floor(k / n) ? c : 0));
      const answer = {
        value: turn(l),
        tangent: turn(tangent(float, l, symmetric(float, rowAt(tangents, 0), n), n)),
        cotangents: [symmetric(float, cotangent(float, l, bar, n), n)],
      };
      return change(answer, question);
    },
  };
}

export const choleskys: readonly Algorithm[] = [
  cholesky("entries; solves", "Higham, algorithm 10.2; arXiv:1602.07527", byEntries, bySolving(byRows)),
  cholesky(
    "columns, reciprocals; solves",
    "Golub and Van Loan, §4.2.5; arXiv:1602.07527",
    byColumns,
    bySolving(byInvertedDiagonal),
  ),
  cholesky("entries; entry by entry", "Higham, algorithm 10.2; Smith, 1995", byEntries, entryByEntry),
];

export const wrongCholeskys: readonly Algorithm[] = [
  cholesky("a cotangent that is not halved", "planted", byEntries, bySolving(byRows), (answer) => ({
    ...answer,
    cotangents: answer.cotangents.map((bar) => bar.map((x) => 2 * x)),
  })),
  cholesky(
    "columns that are not made smaller twice",
    "planted",
    (float, a, n) => {
      const l = [...byColumns(float, a, n)];
      return l.map((x, k) =>
        k === n * n - 1 && n > 1
          ? float.sqrt(
              float.add(float.multiply(x, x), float.multiply(item(l, k - 1), item(l, k - 1) / 2 ** 9)),
            )
          : x,
      );
    },
    bySolving(byRows),
  ),
];
