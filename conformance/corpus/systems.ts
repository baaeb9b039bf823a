import { question, rows } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

/** Vectors of linear systems and determinants. */
export const systems: readonly VectorText[] = vectors({
  "inverse_by_solving (2.5, C37): the inverse of a symmetric matrix, as a solution: both triangles are read, and both get their share":
    {
      ...question("constant name=identity; solve 0 1 at A=[[2,1],[1,3]]"),
      constants: { identity: rows([1, 0], [0, 1]) },
      probe: { right: { A: [-0.16, -0.08, -0.08, -0.04] }, wrong: { A: [-0.565, -0.23, -0.07, -0.14] } },
    },
  "triangular_matrix_solved (2.5, C37): a matrix that happens to be triangular: its zero is an entry like the others":
    "solve 0 1 at A=[[2,1],[0,4]] b=[[3],[5]]",
  "stack_of_systems (2.5): two systems at once, each with two right-hand sides":
    "solve 0 1 at A=[[[2,1],[0,4]],[[1,-1],[2,2]]] B=[[[1,2],[3,4]],[[5,6],[7,8]]]",
  "determinant_of_a_singular_matrix (2.5, C11): the determinant is 0 and has a gradient all the same: the cofactors, which det·A⁻ᵀ cannot give":
    {
      ...question("det 0 at A=[[1,2],[3,6]]"),
      flags: ["singular"],
      probe: { right: { A: [6, -3, -2, 1] }, wrong: { A: [Number.NaN, Number.NaN, Number.NaN, Number.NaN] } },
    },
  "determinant_not_symmetric (2.5, B14): the cofactors of a matrix that is not symmetric, which must not come out transposed":
    "det 0 at A=[[2,1,0],[3,4,5],[1,0,2]]",
});
