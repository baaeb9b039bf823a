import { array, tensor } from "./case_text.ts";
import type { VectorText } from "./vector_text.ts";

/** Vectors of matrix products, whose data are not symmetric so that a forgotten transposition shows. */
export const matrices: readonly VectorText[] = [
  {
    name: "transposed_factors",
    clause: "2.5",
    defects: ["B14"],
    note: "a square product, not symmetric: a transposition left out of a cotangent fits the shapes",
    inputs: {
      A: array([
        [1, 2],
        [3, 4],
      ]),
      B: array([
        [5, 6],
        [7, 8],
      ]),
    },
    nodes: [["matmul", [0, 1]]],
    probe: {
      right: { A: [5, 7, 0, 0], B: [1, 0, 2, 0] },
      wrong: { A: [5, 6, 0, 0], B: [1, 0, 3, 0] },
      seed: array([
        [1, 0],
        [0, 0],
      ]),
    },
  },
  {
    name: "rectangular_factors",
    clause: "2.5",
    defects: ["B14"],
    note: "[2,3] by [3,4]",
    inputs: {
      A: array([
        [1, 2, 3],
        [4, 5, 6],
      ]),
      B: array([
        [1, -1, 2, 0],
        [3, 1, -2, 5],
        [0, 4, 1, -3],
      ]),
    },
    nodes: [["matmul", [0, 1]]],
  },
  {
    name: "one_matrix_for_a_stack",
    clause: "2.5",
    defects: ["B04"],
    note: "two matrices by one: its cotangent sums over the stack (all numbers equal, as reported)",
    inputs: { A: [[2, 2, 3], Array(12).fill(1)], W: tensor([3, 1], [1, 1, 1]) },
    nodes: [
      ["broadcast_to", [1], { shape: [2, 3, 1] }],
      ["matmul", [0, 2]],
    ],
    probe: { right: { W: [4, 4, 4] }, wrong: { W: [2, 2, 2] } },
  },
  {
    name: "product_with_a_view",
    clause: "2.5",
    defects: ["B15"],
    note: "a transposed view as a factor, which a kernel may read as if it lay in order",
    inputs: {
      A: array([
        [1, 2],
        [3, 4],
        [5, 6],
      ]),
      g: array([[1], [10], [100]]),
    },
    nodes: [
      ["permute_dims", [0], { axes: [1, 0] }],
      ["matmul", [2, 1]],
    ],
  },
  {
    name: "view_of_a_stack",
    clause: "2.5",
    defects: ["B15"],
    note: "a stack whose matrices are transposed, times a stack: the stack's own axis stays where it is",
    inputs: { A: tensor([2, 1, 2], [1, 2, 3, 4]), B: tensor([2, 1, 2], [5, 7, 11, 13]) },
    nodes: [
      ["permute_dims", [0], { axes: [0, 2, 1] }],
      ["matmul", [2, 1]],
    ],
  },
  {
    name: "quadratic_form",
    clause: "3.4",
    defects: ["B14"],
    note: "xᵀAx with an A that is not symmetric: the cotangent of x is (A + Aᵀ)x",
    inputs: {
      x: array([[1], [2]]),
      A: array([
        [1, 2],
        [3, 5],
      ]),
    },
    nodes: [
      ["matmul", [1, 0]],
      ["permute_dims", [0], { axes: [1, 0] }],
      ["matmul", [3, 2]],
    ],
  },
  {
    name: "same_matrix_around",
    clause: "2.3",
    defects: ["A02", "B14"],
    note: "A·B·A: the outer matrix collects from both ends",
    inputs: {
      A: array([
        [1, 2],
        [0, 3],
      ]),
      B: array([
        [1, -1],
        [2, 1],
      ]),
    },
    nodes: [
      ["matmul", [0, 1]],
      ["matmul", [2, 0]],
    ],
  },
  {
    name: "rotation_of_a_degenerate_matrix",
    clause: "2.5",
    defects: ["C35"],
    flags: ["singular"],
    note: "an entry of the orthogonal factor of [[0,−1],[1,0]], in closed form: smooth there, though both singular values are 1",
    inputs: { a: array(0), b: array(-1), c: array(1), d: array(0) },
    nodes: [
      ["add", [0, 3]],
      ["subtract", [1, 2]],
      ["multiply", [4, 4]],
      ["multiply", [5, 5]],
      ["add", [6, 7]],
      ["sqrt", [8]],
      ["divide", [5, 9]],
    ],
    probe: { right: { a: [0], b: [0], c: [0], d: [0] }, wrong: { b: [0.5], c: [0.5] } },
  },
];
