import { array } from "./case_text.ts";
import type { VectorText } from "./vector_text.ts";

const square = array([
  [1, 2],
  [3, 4],
]);
const symmetric = array([
  [4, 1],
  [1, 3],
]);

/** Index notation, traces, inverses and factors. */
export const algebra: readonly VectorText[] = [
  {
    name: "einsum_trace",
    clause: "2.5",
    defects: ["B17"],
    note: "an index twice in one operand: the trace",
    inputs: { A: square },
    nodes: [["einsum", [0], { equation: "ii->" }]],
    probe: { right: { A: [1, 0, 0, 1] }, wrong: { A: [1, 1, 1, 1] } },
  },
  {
    name: "einsum_index_in_the_middle",
    clause: "2.5",
    defects: ["B17"],
    flags: ["hidden_by_ones"],
    note: "ijk,j->ik: the summed index is neither first nor last",
    inputs: {
      x: [
        [2, 2, 2],
        [1, 2, 3, 4, 5, 6, 7, 8],
      ],
      w: array([1, 10]),
    },
    nodes: [["einsum", [0, 1], { equation: "ijk,j->ik" }]],
  },
  {
    name: "einsum_stretched",
    clause: "2.5",
    defects: ["B16"],
    note: "a vector against one of extent 1 that was stretched: either cotangent has its operand's extent",
    inputs: { x: array([2, 2]), y: array([2]) },
    nodes: [
      ["broadcast_to", [1], { shape: [2] }],
      ["einsum", [0, 2], { equation: "i,i->" }],
    ],
    probe: { right: { x: [2, 2], y: [4] }, wrong: { y: [2] } },
  },
  {
    name: "einsum_product",
    clause: "2.5",
    defects: ["B14"],
    note: "ij,kj->ik: a product with a transposed factor",
    inputs: {
      A: square,
      B: array([
        [5, 6],
        [7, 8],
        [9, 11],
      ]),
    },
    nodes: [["einsum", [0, 1], { equation: "ij,kj->ik" }]],
  },
  {
    name: "trace_beside_the_diagonal",
    clause: "2.5",
    defects: ["B17"],
    note: "the trace one above the diagonal",
    inputs: { A: square },
    nodes: [["trace", [0], { offset: 1 }]],
    probe: { right: { A: [0, 1, 0, 0] }, wrong: { A: [1, 0, 0, 1] } },
  },
  {
    name: "inverse",
    clause: "2.5",
    defects: ["C37"],
    note: "the inverse of a symmetric matrix: no triangle is left out",
    inputs: {
      A: array([
        [2, 1],
        [1, 3],
      ]),
    },
    nodes: [["inv", [0]]],
    probe: { right: { A: [-0.16, -0.08, -0.08, -0.04] }, wrong: { A: [-0.565, -0.23, -0.07, -0.14] } },
  },
  {
    name: "triangular_system",
    clause: "2.5",
    defects: ["C37"],
    note: "a triangular solve reads one triangle: what stands in the other gets a cotangent of zero and its tangent counts for nothing",
    inputs: {
      A: array([
        [2, 5],
        [1, 4],
      ]),
      b: array([[3], [5]]),
    },
    nodes: [["triangular_solve", [0, 1], { upper: false }]],
  },
  {
    name: "cholesky_gradient",
    clause: "6.5",
    defects: ["C36"],
    note: "a Cholesky factor of [[4,1],[1,3]]: the gradient of a matrix that is known to be symmetric may stand in the triangle that was read, or be shared out between both",
    inputs: { A: symmetric },
    nodes: [["cholesky", [0], { upper: true }]],
    policy: {
      name: "choleskyTriangle",
      join: "one_of",
      choices: {
        symmetric: [["cholesky", [0], { upper: true }]],
        upper: [
          ["triu", [0], { offset: 0 }],
          ["triu", [0], { offset: 1 }],
          ["permute_dims", [2], { axes: [1, 0] }],
          ["add", [1, 3]],
          ["cholesky", [4], { upper: true }],
        ],
        lower: [
          ["tril", [0], { offset: 0 }],
          ["tril", [0], { offset: -1 }],
          ["permute_dims", [2], { axes: [1, 0] }],
          ["add", [1, 3]],
          ["cholesky", [4], { upper: true }],
        ],
      },
    },
  },
];
