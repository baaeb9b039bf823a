import { type Algorithm, rowAt } from "./algorithm.ts";
import {
  byInvertedDiagonal,
  byRows,
  negated,
  product,
  type Substitution,
  transposed,
  triangle,
} from "./matrices.ts";

/** Computes Ẋ = T⁻¹(Ḃ − Ṫ X), B̄ = T⁻ᵀ X̄, T̄ = −B̄ Xᵀ [REFERENCES, Giles 2008]. */
function system(
  name: string,
  source: string,
  solve: Substitution,
  mask: (upper: boolean) => boolean = (upper) => upper,
): Algorithm {
  return {
    composite: "triangular_solve",
    name,
    source,
    answer(float, { operands, tangents, cotangent, order: n, columns, upper }) {
      const [t, b] = [triangle(rowAt(operands, 0), n, upper), rowAt(operands, 1)];
      const x = solve(float, t, b, n, upper);
      const moved = product(float, triangle(rowAt(tangents, 0), n, upper), x, n);
      const right = rowAt(tangents, 1).map((d, i) => float.subtract(d, moved[i] ?? 0));
      const bBar = solve(float, transposed(t, n, n), cotangent, n, !upper);
      const tBar = product(float, bBar, transposed(x, n, columns), columns);
      return {
        value: x,
        tangent: solve(float, t, right, n, upper),
        cotangents: [triangle(negated(tBar), n, mask(upper)), bBar],
      };
    },
  };
}

export const triangularSystems: readonly Algorithm[] = [
  system("rows, quotients", "Higham, Accuracy and Stability of Numerical Algorithms, algorithm 8.1", byRows),
  system(
    "columns, inverted diagonal",
    "https://github.com/OpenMathLib/OpenBLAS, kernel/generic/trsm_kernel_LN.c",
    byInvertedDiagonal,
  ),
];

export const wrongTriangularSystems: readonly Algorithm[] = [
  system("the cotangent of the other triangle", "planted", byRows, (upper) => !upper),
  system("reciprocals in single", "planted", (float, t, b, n, upper) => {
    const diagonal = t.map((x, k) => (k % (n + 1) === 0 ? 1 / (Math.round(2 ** 20 / x) / 2 ** 20) : x));
    return byRows(float, diagonal, b, n, upper);
  }),
];
