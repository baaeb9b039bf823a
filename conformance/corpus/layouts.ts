import { question, rows } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

const grid = rows([1, 2, 3], [4, 5, 6]);

/** Vectors of operators that join, split, permute and mask tensors: each cotangent finds its element. */
export const layouts: readonly VectorText[] = vectors({
  "stacked_in_the_middle (2.5): two matrices stacked along a new middle axis": {
    inputs: { x: grid, y: grid },
    nodes: "stack 0 1 axis=1",
  },
  "last_part_of_a_split (2.5): the second of two halves of the columns: the first half gets zero":
    "split 0 axis=1 sections=2 part=1 at x=[[1,2,3,4],[5,6,7,8]]",
  "flipped_both_ways (2.5): both axes reversed": {
    flags: ["hidden_by_ones"],
    inputs: { x: grid },
    nodes: "flip 0 axes=[0,1]",
  },
  "rolled_on (2.5): a roll by one of three: the cotangent rolls the other way": {
    flags: ["hidden_by_ones"],
    inputs: { x: grid },
    nodes: "roll 0 shift=1 axis=1",
  },
  "tiled (2.5, B01): a row laid out twice over and twice along: four cotangents for each element":
    "tile 0 repetitions=[2,2] at x=[[1,2]]",
  "one_hot_rows (2.5, D18): rows picked by a product with one-hot rows, one of them twice":
    "one_hot indices=words classes=3; matmul 1 0 at w=[[1,2],[3,4],[5,6]] where words=[2,0,2]",
  "diagonal_above (2.5, B17): the diagonal above the main one of a rectangle": {
    inputs: { x: grid },
    nodes: "diagonal 0 offset=1",
  },
  "lower_triangle (2.5, C37): what is masked gets a cotangent of zero": {
    inputs: { x: grid },
    nodes: "tril 0 offset=0",
  },
  "upper_triangle (2.5, C37): what is masked gets a cotangent of zero, here with the diagonal": {
    inputs: { x: grid },
    nodes: "triu 0 offset=1",
  },
  "inner_products_of_rows (2.5): an inner product for each row": {
    inputs: { x: grid, y: grid },
    nodes: "vecdot 0 1 axis=1",
  },
  "outer_product (2.5, B14): all products of two vectors of unequal extent": "outer 0 1 at x=[1,2] y=[3,5,7]",
  "sorted_backwards (2.5, D23): rows in descending order, each its own": {
    ...question("sort 0 axis=1 descending=true at x=[[3,1,2],[4,6,5]]"),
    flags: ["hidden_by_ones"],
  },
});
