import { array, question, rows } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

/** Vectors of broadcasting: the cotangent of a stretched operand is summed along the stretched axes alone. */
export const broadcasting: readonly VectorText[] = vectors({
  "bias_of_rows (2.5, B01): one bias for both rows: its cotangent has the bias's shape and sums over the rows":
    {
      ...question("broadcast_to 1 shape=[2,3]; add 0 2 at x=[[0,1,2],[3,4,5]] b=[1,1,1]"),
      probe: { right: { b: [2, 2, 2] }, wrong: { b: [1, 1, 1] } },
    },
  "stretched_factor (2.5, B02): [1] against [2,1]: the factor of extent 1 gets the sum over the new axis, weighted":
    "broadcast_to 0 shape=[2,1]; multiply 2 1 at x=[5] y=[[2],[3]]",
  "stretched_row (2.5, B05): [1,5] against [5,5]: rank is no help in seeing which axis was stretched": {
    inputs: { x: [[1, 5], Array(5).fill(1)], y: [[5, 5], Array(25).fill(1)] },
    nodes: "broadcast_to 0 shape=[5,5]; add 2 1",
    probe: { right: { x: [5, 5, 5, 5, 5] }, wrong: { x: [1, 1, 1, 1, 1] } },
  },
  "add_then_multiply (2.5, B06): (x + b)·w with a stretched b, which a fused kernel may forget to sum": {
    inputs: { x: rows([1, 2, 3], [4, 5, 6]), b: array([1, -1, 2]), w: rows([2, 3, 5], [7, 11, 13]) },
    nodes: "broadcast_to 1 shape=[2,3]; add 0 3; multiply 4 2",
  },
  "scalar_everywhere (2.5, B01): a scalar stretched over a matrix gets the sum of all cotangents, as a scalar":
    "broadcast_to 0 shape=[2,2] at x=3",
  "two_stretched_axes (2.5, B02): the first and the last of three axes are stretched, the middle one is not":
    "broadcast_to 0 shape=[2,3,2] at x=[[[1],[2],[3]]]",
  "stretched_two_ways (3.4, B01): one vector stretched along either axis of a square: both sums arrive, each along its own":
    {
      inputs: { x: array([2, 3]) },
      nodes: [
        "broadcast_to 0 shape=[2,2]; reshape 0 shape=[2,1]; broadcast_to 2 shape=[2,2]",
        "multiply 1 3",
      ],
    },
  "weighted_row_sums (2.5, B07): row sums of a square: a cotangent spread along the other axis fits the shape, and all ones do not tell":
    {
      ...question("sum 0 axes=[1] keepdims=false at x=[[1,2],[3,4]]"),
      flags: ["hidden_by_ones"],
      probe: { right: { x: [1, 1, 10, 10] }, wrong: { x: [1, 10, 1, 10] }, seed: array([1, 10]) },
    },
  "middle_axis_summed (2.5, B07): the middle of three axes of extent 2 is summed away and restored in the middle":
    {
      ...question("sum 0 axes=[1] keepdims=false at x=[[[1,2],[3,4]],[[5,6],[7,8]]]"),
      flags: ["hidden_by_ones"],
    },
  "outer_axes_summed (2.5, B07): the outer two of three axes are summed at once":
    "sum 0 axes=[0,2] keepdims=false at x=[[[1,2],[3,4]],[[5,6],[7,8]]]",
  "empty_rows (1.1, B20): four rows of no element get an axis more: the cotangent has shape [4,0] again":
    "reshape 0 shape=[4,1,0] at x=[[],[],[],[]]",
  "sums_of_nothing (1.1, B20): the sums of four empty rows are four zeros, and their cotangents go nowhere":
    "sum 0 axes=[1] keepdims=false at x=[[],[],[],[]]",
  "stretched_to_nothing (1.1, B20): an extent of 1 stretched to 0: the sum of no cotangents is zero":
    "broadcast_to 0 shape=[2,0] at x=[[7],[5]]",
});
