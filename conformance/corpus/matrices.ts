import { array, question, rows, tensor } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

/** Vectors of matrix products, whose data are not symmetric so that a forgotten transposition shows. */
export const matrices: readonly VectorText[] = vectors({
  "transposed_factors (2.5, B14): a square product, not symmetric: a transposition left out of a cotangent fits the shapes":
    {
      ...question("matmul 0 1 at A=[[1,2],[3,4]] B=[[5,6],[7,8]]"),
      probe: {
        right: { A: [5, 7, 0, 0], B: [1, 0, 2, 0] },
        wrong: { A: [5, 6, 0, 0], B: [1, 0, 3, 0] },
        seed: rows([1, 0], [0, 0]),
      },
    },
  "rectangular_factors (2.5, B14): [2,3] by [3,4]":
    "matmul 0 1 at A=[[1,2,3],[4,5,6]] B=[[1,-1,2,0],[3,1,-2,5],[0,4,1,-3]]",
  "one_matrix_for_a_stack (2.5, B04): two matrices by one: its cotangent sums over the stack (all numbers equal, as reported)":
    {
      inputs: { A: [[2, 2, 3], Array(12).fill(1)], W: tensor([3, 1], [1, 1, 1]) },
      nodes: "broadcast_to 1 shape=[2,3,1]; matmul 0 2",
      probe: { right: { W: [4, 4, 4] }, wrong: { W: [2, 2, 2] } },
    },
  "product_with_a_view (2.5, B15): a transposed view as a factor, which a kernel may read as if it lay in order":
    "permute_dims 0 axes=[1,0]; matmul 2 1 at A=[[1,2],[3,4],[5,6]] g=[[1],[10],[100]]",
  "view_of_a_stack (2.5, B15): a stack whose matrices are transposed, times a stack: the stack's own axis stays where it is":
    "permute_dims 0 axes=[0,2,1]; matmul 2 1 at A=[[[1,2]],[[3,4]]] B=[[[5,7]],[[11,13]]]",
  "quadratic_form (3.4, B14): xᵀAx with an A that is not symmetric: the cotangent of x is (A + Aᵀ)x":
    "matmul 1 0; permute_dims 0 axes=[1,0]; matmul 3 2 at x=[[1],[2]] A=[[1,2],[3,5]]",
  "same_matrix_around (2.3, A02, B14): A·B·A: the outer matrix collects from both ends":
    "matmul 0 1; matmul 2 0 at A=[[1,2],[0,3]] B=[[1,-1],[2,1]]",
  "rotation_of_a_degenerate_matrix (2.5, C35): an entry of the orthogonal factor of [[0,−1],[1,0]], in closed form: smooth there, though both singular values are 1":
    {
      flags: ["singular"],
      inputs: { a: array(0), b: array(-1), c: array(1), d: array(0) },
      nodes: "add 0 3; subtract 1 2; multiply 4 4; multiply 5 5; add 6 7; sqrt 8; divide 5 9",
      probe: { right: { a: [0], b: [0], c: [0], d: [0] }, wrong: { b: [0.5], c: [0.5] } },
    },
});
