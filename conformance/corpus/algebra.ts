import { question, rows } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

const square = rows([1, 2], [3, 4]);
/** Test vectors of `einsum` and of traces. */
export const algebra: readonly VectorText[] = vectors({
  "einsum_trace (2.5, B17): an index twice in one operand: the trace": {
    inputs: { A: square },
    nodes: "einsum 0 equation=ii->",
    probe: { right: { A: [1, 0, 0, 1] }, wrong: { A: [1, 1, 1, 1] } },
  },
  "einsum_index_in_the_middle (2.5, B17): ijk,j->ik: the summed index is neither first nor last": {
    ...question("einsum 0 1 equation=ijk,j->ik at x=[[[1,2],[3,4]],[[5,6],[7,8]]] w=[1,10]"),
    flags: ["hidden_by_ones"],
  },
  "einsum_stretched (2.5, B16): a vector against one of extent 1 that was stretched: either cotangent has its operand's extent":
    {
      ...question("broadcast_to 1 shape=[2]; einsum 0 2 equation=i,i-> at x=[2,2] y=[2]"),
      probe: { right: { x: [2, 2], y: [4] }, wrong: { y: [2] } },
    },
  "einsum_product (2.5, B14): ij,kj->ik: a product with a transposed factor": {
    inputs: { A: square, B: rows([5, 6], [7, 8], [9, 11]) },
    nodes: "einsum 0 1 equation=ij,kj->ik",
  },
  "trace_beside_the_diagonal (2.5, B17): the trace one above the diagonal": {
    inputs: { A: square },
    nodes: "trace 0 offset=1",
    probe: { right: { A: [0, 1, 0, 0] }, wrong: { A: [1, 0, 0, 1] } },
  },
});
