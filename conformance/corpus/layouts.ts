import { array } from "./case_text.ts";
import type { VectorText } from "./vector_text.ts";

const grid = array([
  [1, 2, 3],
  [4, 5, 6],
]);

/** Vectors of operators that join, split, permute and mask tensors: each cotangent finds its element. */
export const layouts: readonly VectorText[] = [
  {
    name: "stacked_in_the_middle",
    clause: "2.5",
    note: "two matrices stacked along a new middle axis",
    inputs: { x: grid, y: grid },
    nodes: [["stack", [0, 1], { axis: 1 }]],
  },
  {
    name: "last_part_of_a_split",
    clause: "2.5",
    note: "the second of two halves of the columns: the first half gets zero",
    inputs: {
      x: array([
        [1, 2, 3, 4],
        [5, 6, 7, 8],
      ]),
    },
    nodes: [["split", [0], { axis: 1, sections: 2, part: 1 }]],
  },
  {
    name: "flipped_both_ways",
    clause: "2.5",
    flags: ["hidden_by_ones"],
    note: "both axes reversed",
    inputs: { x: grid },
    nodes: [["flip", [0], { axes: [0, 1] }]],
  },
  {
    name: "rolled_on",
    clause: "2.5",
    flags: ["hidden_by_ones"],
    note: "a roll by one of three: the cotangent rolls the other way",
    inputs: { x: grid },
    nodes: [["roll", [0], { shift: 1, axis: 1 }]],
  },
  {
    name: "tiled",
    clause: "2.5",
    defects: ["B01"],
    note: "a row laid out twice over and twice along: four cotangents for each element",
    inputs: { x: array([[1, 2]]) },
    nodes: [["tile", [0], { repetitions: [2, 2] }]],
  },
  {
    name: "one_hot_rows",
    clause: "2.5",
    defects: ["D18"],
    note: "rows picked by a product with one-hot rows, one of them twice",
    inputs: {
      w: array([
        [1, 2],
        [3, 4],
        [5, 6],
      ]),
    },
    indices: { words: [2, 0, 2] },
    nodes: [
      ["one_hot", [], { indices: "words", classes: 3 }],
      ["matmul", [1, 0]],
    ],
  },
  {
    name: "diagonal_above",
    clause: "2.5",
    defects: ["B17"],
    note: "the diagonal above the main one of a rectangle",
    inputs: { x: grid },
    nodes: [["diagonal", [0], { offset: 1 }]],
  },
  {
    name: "lower_triangle",
    clause: "2.5",
    defects: ["C37"],
    note: "what is masked gets a cotangent of zero",
    inputs: { x: grid },
    nodes: [["tril", [0], { offset: 0 }]],
  },
  {
    name: "upper_triangle",
    clause: "2.5",
    defects: ["C37"],
    note: "what is masked gets a cotangent of zero, here with the diagonal",
    inputs: { x: grid },
    nodes: [["triu", [0], { offset: 1 }]],
  },
  {
    name: "inner_products_of_rows",
    clause: "2.5",
    note: "an inner product for each row",
    inputs: { x: grid, y: grid },
    nodes: [["vecdot", [0, 1], { axis: 1 }]],
  },
  {
    name: "outer_product",
    clause: "2.5",
    defects: ["B14"],
    note: "all products of two vectors of unequal extent",
    inputs: { x: array([1, 2]), y: array([3, 5, 7]) },
    nodes: [["outer", [0, 1]]],
  },
  {
    name: "sorted_backwards",
    clause: "2.5",
    defects: ["D23"],
    flags: ["hidden_by_ones"],
    note: "rows in descending order, each its own",
    inputs: {
      x: array([
        [3, 1, 2],
        [4, 6, 5],
      ]),
    },
    nodes: [["sort", [0], { axis: 1, descending: true }]],
  },
];
