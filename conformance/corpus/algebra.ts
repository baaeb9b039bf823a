import { array, tensor } from "./case_text.ts";
import type { VectorText } from "./vector_text.ts";

const square = array([
  [1, 2],
  [3, 4],
]);
/** Test vectors of `einsum` and of traces. */
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
    inputs: { x: tensor([2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8]), w: array([1, 10]) },
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
];
