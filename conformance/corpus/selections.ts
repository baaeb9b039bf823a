import { array, question, rows } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

const grid = rows([1, 2, 3], [4, 5, 6]);

/** Vectors of slices, padding, gathers, scatters and running sums: where each cotangent belongs. */
export const selections: readonly VectorText[] = vectors({
  "slice_of_one_row (2.5, B18): every second row of two, from either row: a slice that selects one row must not write its cotangent over both":
    {
      flags: ["hidden_by_ones"],
      inputs: { z: rows([0, 0, 0], [0, 0, 0]) },
      nodes: [
        "slice 0 starts=[0,0] stops=[2,3] steps=[2,1]",
        "slice 0 starts=[1,0] stops=[2,3] steps=[2,1]; concat 1 2 axis=0",
      ],
      probe: {
        right: { z: [1, 2, 3, 100, 101, 102] },
        wrong: { z: [1, 2, 3, 101, 103, 105] },
        seed: rows([1, 2, 3], [100, 101, 102]),
      },
    },
  "slice_backwards (2.5, B18): elements 5, 3 and 1 in that order: a negative step":
    "slice 0 starts=[-1] stops=[-7] steps=[-2] at x=[1,2,3,4,5,6]",
  "slice_in_steps_of_three (2.5, B18): elements 0, 3 and 6 of eight: the end is not on the grid":
    "slice 0 starts=[0] stops=[8] steps=[3] at x=[1,2,3,4,5,6,7,8]",
  "slice_of_nothing (1.1, B20): a slice that ends where it starts: no elements, and a cotangent of zeros":
    "slice 0 starts=[2] stops=[2] steps=[1] at x=[1,2,3]",
  "zeros_around (2.5, D25): a border of zeros, unequal on the four sides: its cotangents go nowhere": {
    inputs: { x: grid },
    nodes: "pad 0 low=[1,0] high=[0,2] interior=[0,0]",
  },
  "zeros_between (2.5, D25): zeros between the elements, as in a transposed convolution":
    "pad 0 low=[1] high=[0] interior=[2] at x=[1,2,3]",
  "gathered_points (2.5, D19): three points of a grid, one twice: the cotangent is scattered back, and added where points coincide":
    {
      flags: ["hidden_by_ones"],
      inputs: { x: grid },
      indices: { points: rows([1, 2], [0, 1], [1, 2]) },
      nodes: "gather 0 indices=points",
    },
  "gathered_rows (2.5, D19): rows by a list of single indices: the last axis comes along": {
    inputs: { x: grid },
    indices: { rows: rows([1], [1], [0]) },
    nodes: "gather 0 indices=rows",
  },
  "one_per_row (2.5, D18, D19): two entries of each row by their columns, in the second row the same twice": {
    inputs: { x: grid },
    indices: { columns: rows([2, 0], [1, 1]) },
    nodes: "take_along_axis 0 axis=1 indices=columns",
  },
  "scattered_on_one_place (2.5, D18): two updates added to one element: each gets its cotangent, and so does what stood there":
    "scatter_add 0 1 indices=places at x=[1,2,3] updates=[10,20,30] where places=[[0],[0],[2]]",
  "running_sum (2.5): sums along the rows: the cotangent runs from the end to the start": {
    flags: ["hidden_by_ones"],
    inputs: { x: grid },
    nodes: "cumulative_sum 0 axis=1",
  },
  "running_sum_of_nothing (1.1, B20): running sums of four empty rows: no elements, and no exception":
    "cumulative_sum 0 axis=1 at x=[[],[],[],[]]",
  "comparison_as_a_factor (2.2, A19): (x < y)·z: the comparison is 0 or 1 and hands no cotangent on": {
    ...question("less 0 1; multiply 3 2 at x=[1,5] y=[2,3] z=[7,11]"),
    probe: { right: { x: [0, 0], y: [0, 0], z: [1, 0] } },
  },
  "guarded_by_a_comparison (6.4, C01, C40): where(0 < x, x, 0) at both signs: the condition is computed from x and hands nothing on":
    {
      ...question("constant name=zero; less 1 0; where 2 0 1 at x=[2,-3]"),
      constants: { zero: array([0, 0]) },
      probe: { right: { x: [1, 0] }, wrong: { x: [0, 0] } },
    },
  "flat_steps (2.2, A19, F10): floor between its steps: tangent and cotangent are zero, neither is missing": {
    ...question("floor 0 at x=[2.5,-2.5]"),
    probe: { right: { x: [0, 0] }, wrong: { x: [1, 1] } },
  },
});
