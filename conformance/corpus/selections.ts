import { array } from "./case_text.ts";
import type { VectorText } from "./vector_text.ts";

const grid = array([
  [1, 2, 3],
  [4, 5, 6],
]);

/** Vectors of slices, padding, gathers, scatters and running sums: where each cotangent belongs. */
export const selections: readonly VectorText[] = [
  {
    name: "slice_of_one_row",
    clause: "2.5",
    defects: ["B18"],
    flags: ["hidden_by_ones"],
    note: "every second row of two, from either row: a slice that selects one row must not write its cotangent over both",
    inputs: {
      z: array([
        [0, 0, 0],
        [0, 0, 0],
      ]),
    },
    nodes: [
      ["slice", [0], { starts: [0, 0], stops: [2, 3], steps: [2, 1] }],
      ["slice", [0], { starts: [1, 0], stops: [2, 3], steps: [2, 1] }],
      ["concat", [1, 2], { axis: 0 }],
    ],
    probe: {
      right: { z: [1, 2, 3, 100, 101, 102] },
      wrong: { z: [1, 2, 3, 101, 103, 105] },
      seed: array([
        [1, 2, 3],
        [100, 101, 102],
      ]),
    },
  },
  {
    name: "slice_backwards",
    clause: "2.5",
    defects: ["B18"],
    note: "elements 5, 3 and 1 in that order: a negative step",
    inputs: { x: array([1, 2, 3, 4, 5, 6]) },
    nodes: [["slice", [0], { starts: [-1], stops: [-7], steps: [-2] }]],
  },
  {
    name: "slice_in_steps_of_three",
    clause: "2.5",
    defects: ["B18"],
    note: "elements 0, 3 and 6 of eight: the end is not on the grid",
    inputs: { x: array([1, 2, 3, 4, 5, 6, 7, 8]) },
    nodes: [["slice", [0], { starts: [0], stops: [8], steps: [3] }]],
  },
  {
    name: "slice_of_nothing",
    clause: "1.1",
    defects: ["B20"],
    note: "a slice that ends where it starts: no elements, and a cotangent of zeros",
    inputs: { x: array([1, 2, 3]) },
    nodes: [["slice", [0], { starts: [2], stops: [2], steps: [1] }]],
  },
  {
    name: "zeros_around",
    clause: "2.5",
    defects: ["D25"],
    note: "a border of zeros, unequal on the four sides: its cotangents go nowhere",
    inputs: { x: grid },
    nodes: [["pad", [0], { low: [1, 0], high: [0, 2], interior: [0, 0] }]],
  },
  {
    name: "zeros_between",
    clause: "2.5",
    defects: ["D25"],
    note: "zeros between the elements, as in a transposed convolution",
    inputs: { x: array([1, 2, 3]) },
    nodes: [["pad", [0], { low: [1], high: [0], interior: [2] }]],
  },
  {
    name: "gathered_points",
    clause: "2.5",
    defects: ["D19"],
    flags: ["hidden_by_ones"],
    note: "three points of a grid, one twice: the cotangent is scattered back, and added where points coincide",
    inputs: { x: grid },
    indices: {
      points: array([
        [1, 2],
        [0, 1],
        [1, 2],
      ]),
    },
    nodes: [["gather", [0], { indices: "points" }]],
  },
  {
    name: "gathered_rows",
    clause: "2.5",
    defects: ["D19"],
    note: "rows by a list of single indices: the last axis comes along",
    inputs: { x: grid },
    indices: { rows: array([[1], [1], [0]]) },
    nodes: [["gather", [0], { indices: "rows" }]],
  },
  {
    name: "one_per_row",
    clause: "2.5",
    defects: ["D18", "D19"],
    note: "two entries of each row by their columns, in the second row the same twice",
    inputs: { x: grid },
    indices: {
      columns: array([
        [2, 0],
        [1, 1],
      ]),
    },
    nodes: [["take_along_axis", [0], { axis: 1, indices: "columns" }]],
  },
  {
    name: "scattered_on_one_place",
    clause: "2.5",
    defects: ["D18"],
    note: "two updates added to one element: each gets its cotangent, and so does what stood there",
    inputs: { x: array([1, 2, 3]), updates: array([10, 20, 30]) },
    indices: { places: array([[0], [0], [2]]) },
    nodes: [["scatter_add", [0, 1], { indices: "places" }]],
  },
  {
    name: "running_sum",
    clause: "2.5",
    flags: ["hidden_by_ones"],
    note: "sums along the rows: the cotangent runs from the end to the start",
    inputs: { x: grid },
    nodes: [["cumulative_sum", [0], { axis: 1 }]],
  },
  {
    name: "running_sum_of_nothing",
    clause: "1.1",
    defects: ["B20"],
    note: "running sums of four empty rows: no elements, and no exception",
    inputs: { x: [[4, 0], []] },
    nodes: [["cumulative_sum", [0], { axis: 1 }]],
  },
  {
    name: "comparison_as_a_factor",
    clause: "2.2",
    defects: ["A19"],
    note: "(x < y)·z: the comparison is 0 or 1 and hands no cotangent on",
    inputs: { x: array([1, 5]), y: array([2, 3]), z: array([7, 11]) },
    nodes: [
      ["less", [0, 1]],
      ["multiply", [3, 2]],
    ],
    probe: { right: { x: [0, 0], y: [0, 0], z: [1, 0] } },
  },
  {
    name: "guarded_by_a_comparison",
    clause: "6.4",
    defects: ["C01", "C40"],
    note: "where(0 < x, x, 0) at both signs: the condition is computed from x and hands nothing on",
    inputs: { x: array([2, -3]) },
    constants: { zero: array([0, 0]) },
    nodes: [
      ["constant", [], { name: "zero" }],
      ["less", [1, 0]],
      ["where", [2, 0, 1]],
    ],
    probe: { right: { x: [1, 0] }, wrong: { x: [0, 0] } },
  },
  {
    name: "flat_steps",
    clause: "2.2",
    defects: ["A19", "F10"],
    note: "floor between its steps: tangent and cotangent are zero, neither is missing",
    inputs: { x: array([2.5, -2.5]) },
    nodes: [["floor", [0]]],
    probe: { right: { x: [0, 0] }, wrong: { x: [1, 1] } },
  },
];
