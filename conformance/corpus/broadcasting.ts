import { array, tensor } from "./case_text.ts";
import type { VectorText } from "./vector_text.ts";

/** Vectors of broadcasting: the cotangent of a stretched operand is summed along the stretched axes alone. */
export const broadcasting: readonly VectorText[] = [
  {
    name: "bias_of_rows",
    clause: "2.5",
    defects: ["B01"],
    note: "one bias for both rows: its cotangent has the bias's shape and sums over the rows",
    inputs: {
      x: array([
        [0, 1, 2],
        [3, 4, 5],
      ]),
      b: array([1, 1, 1]),
    },
    nodes: [
      ["broadcast_to", [1], { shape: [2, 3] }],
      ["add", [0, 2]],
    ],
    probe: { right: { b: [2, 2, 2] }, wrong: { b: [1, 1, 1] } },
  },
  {
    name: "stretched_factor",
    clause: "2.5",
    defects: ["B02"],
    note: "[1] against [2,1]: the factor of extent 1 gets the sum over the new axis, weighted",
    inputs: { x: array([5]), y: array([[2], [3]]) },
    nodes: [
      ["broadcast_to", [0], { shape: [2, 1] }],
      ["multiply", [2, 1]],
    ],
  },
  {
    name: "stretched_row",
    clause: "2.5",
    defects: ["B05"],
    note: "[1,5] against [5,5]: rank is no help in seeing which axis was stretched",
    inputs: { x: [[1, 5], Array(5).fill(1)], y: [[5, 5], Array(25).fill(1)] },
    nodes: [
      ["broadcast_to", [0], { shape: [5, 5] }],
      ["add", [2, 1]],
    ],
    probe: { right: { x: [5, 5, 5, 5, 5] }, wrong: { x: [1, 1, 1, 1, 1] } },
  },
  {
    name: "add_then_multiply",
    clause: "2.5",
    defects: ["B06"],
    note: "(x + b)·w with a stretched b, which a fused kernel may forget to sum",
    inputs: {
      x: array([
        [1, 2, 3],
        [4, 5, 6],
      ]),
      b: array([1, -1, 2]),
      w: array([
        [2, 3, 5],
        [7, 11, 13],
      ]),
    },
    nodes: [
      ["broadcast_to", [1], { shape: [2, 3] }],
      ["add", [0, 3]],
      ["multiply", [4, 2]],
    ],
  },
  {
    name: "scalar_everywhere",
    clause: "2.5",
    defects: ["B01"],
    note: "a scalar stretched over a matrix gets the sum of all cotangents, as a scalar",
    inputs: { x: array(3) },
    nodes: [["broadcast_to", [0], { shape: [2, 2] }]],
  },
  {
    name: "two_stretched_axes",
    clause: "2.5",
    defects: ["B02"],
    note: "the first and the last of three axes are stretched, the middle one is not",
    inputs: { x: tensor([1, 3, 1], [1, 2, 3]) },
    nodes: [["broadcast_to", [0], { shape: [2, 3, 2] }]],
  },
  {
    name: "stretched_two_ways",
    clause: "3.4",
    defects: ["B01"],
    note: "one vector stretched along either axis of a square: both sums arrive, each along its own",
    inputs: { x: array([2, 3]) },
    nodes: [
      ["broadcast_to", [0], { shape: [2, 2] }],
      ["reshape", [0], { shape: [2, 1] }],
      ["broadcast_to", [2], { shape: [2, 2] }],
      ["multiply", [1, 3]],
    ],
  },
  {
    name: "weighted_row_sums",
    clause: "2.5",
    defects: ["B07"],
    flags: ["hidden_by_ones"],
    note: "row sums of a square: a cotangent spread along the other axis fits the shape, and all ones do not tell",
    inputs: {
      x: array([
        [1, 2],
        [3, 4],
      ]),
    },
    nodes: [["sum", [0], { axes: [1], keepdims: false }]],
    probe: { right: { x: [1, 1, 10, 10] }, wrong: { x: [1, 10, 1, 10] }, seed: array([1, 10]) },
  },
  {
    name: "middle_axis_summed",
    clause: "2.5",
    defects: ["B07"],
    flags: ["hidden_by_ones"],
    note: "the middle of three axes of extent 2 is summed away and restored in the middle",
    inputs: { x: tensor([2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8]) },
    nodes: [["sum", [0], { axes: [1], keepdims: false }]],
  },
  {
    name: "outer_axes_summed",
    clause: "2.5",
    defects: ["B07"],
    note: "the outer two of three axes are summed at once",
    inputs: { x: tensor([2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8]) },
    nodes: [["sum", [0], { axes: [0, 2], keepdims: false }]],
  },
  {
    name: "empty_rows",
    clause: "1.1",
    defects: ["B20"],
    note: "four rows of no element get an axis more: the cotangent has shape [4,0] again",
    inputs: { x: [[4, 0], []] },
    nodes: [["reshape", [0], { shape: [4, 1, 0] }]],
  },
  {
    name: "sums_of_nothing",
    clause: "1.1",
    defects: ["B20"],
    note: "the sums of four empty rows are four zeros, and their cotangents go nowhere",
    inputs: { x: [[4, 0], []] },
    nodes: [["sum", [0], { axes: [1], keepdims: false }]],
  },
  {
    name: "stretched_to_nothing",
    clause: "1.1",
    defects: ["B20"],
    note: "an extent of 1 stretched to 0: the sum of no cotangents is zero",
    inputs: { x: array([[7], [5]]) },
    nodes: [["broadcast_to", [0], { shape: [2, 0] }]],
  },
];
