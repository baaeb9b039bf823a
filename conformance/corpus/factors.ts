import { question, rows } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

const symmetric = rows([4, 1], [1, 3]);

/** Vectors of inverses, triangular systems and factorisations: which triangle is read and seeded. */
export const factors: readonly VectorText[] = vectors({
  "inverse (2.5, C37): the inverse of a symmetric matrix: no triangle is left out": {
    ...question("inv 0 at A=[[2,1],[1,3]]"),
    probe: { right: { A: [-0.16, -0.08, -0.08, -0.04] }, wrong: { A: [-0.565, -0.23, -0.07, -0.14] } },
  },
  "triangular_system (2.5, C37): a triangular solve reads one triangle: what stands in the other gets a cotangent of zero and its tangent counts for nothing":
    "triangular_solve 0 1 upper=false at A=[[2,5],[1,4]] b=[[3],[5]]",
  "cholesky_gradient (6.5, C36): a Cholesky factor of [[4,1],[1,3]]: the gradient of a matrix that is known to be symmetric may stand in the triangle that was read, or be shared out between both":
    {
      inputs: { A: symmetric },
      nodes: "cholesky 0 upper=true",
      policy: {
        name: "choleskyTriangle",
        join: "one_of",
        choices: {
          symmetric: "cholesky 0 upper=true",
          upper: [
            "triu 0 offset=0; triu 0 offset=1; permute_dims 2 axes=[1,0]; add 1 3",
            "cholesky 4 upper=true",
          ],
          lower: [
            "tril 0 offset=0; tril 0 offset=-1; permute_dims 2 axes=[1,0]; add 1 3",
            "cholesky 4 upper=true",
          ],
        },
      },
    },
});
