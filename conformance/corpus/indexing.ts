import { array, question, rows } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

/** Vectors of indexing and concatenation: each cotangent returns to the element it came from. */
export const indexing: readonly VectorText[] = vectors({
  "repeated_row (2.5, D18): an index taken twice: the last cotangent must not replace the first": {
    ...question("take 0 axis=0 indices=i at w=[1,1,1] where i=[0,0,1]"),
    flags: ["hidden_by_ones"],
    probe: { right: { w: [0.5, 0.5, 0] }, wrong: { w: [0.3, 0.5, 0] }, seed: array([0.2, 0.3, 0.5]) },
  },
  "overlapping_windows (2.5, B19): windows of length 3 at every start: an element is in up to three of them":
    {
      ...question("take 0 axis=0 indices=windows; reshape 1 shape=[3,3] at x=[1,1,1,1,1]"),
      indices: { windows: [0, 1, 2, 1, 2, 3, 2, 3, 4] },
      probe: { right: { x: [1, 2, 3, 2, 1] }, wrong: { x: [1, 1, 1, 1, 1] } },
    },
  "mirrored_borders (2.5, D25): three elements mirrored at both ends: either border sends its cotangents back":
    {
      ...question("take 0 axis=0 indices=mirrored at x=[1,2,3] where mirrored=[2,1,0,1,2,1,0]"),
      probe: { right: { x: [10, 12, 6] }, wrong: { x: [3, 6, 6] }, seed: array([1, 2, 3, 4, 5, 6, 7]) },
    },
  "cropped_borders (2.5, D25): a border that takes away: what was cropped gets zero":
    "take 0 axis=0 indices=middle at x=[1,2,3,4] where middle=[1,2]",
  "rows_in_another_order (2.5, D19): three rows in cyclic order: gathering the cotangent with the same indices turns it the wrong way":
    {
      ...question("take 0 axis=0 indices=cycle at x=[[1,2],[3,4],[5,6]] where cycle=[1,2,0]"),
      flags: ["hidden_by_ones"],
    },
  "rows_never_taken (2.5, D19): rows 2 and 0 of three, one of them twice: the third gets zero":
    "take 0 axis=0 indices=rows at x=[[1,2],[3,4],[5,6]] where rows=[2,0,2]",
  "columns_taken (2.5, D19): columns of a rectangle, where rows and columns must not change places":
    "take 0 axis=1 indices=columns at x=[[1,2,3],[4,5,6]] where columns=[2,0,2]",
  "nothing_taken (1.1, B20): no index at all: an empty result, and a cotangent of zeros":
    "take 0 axis=0 indices=none at x=[1,2,3] where none=[]",
  "padding_row (2.6, D21): an embedding whose row 0 is held: it is read three times and gets zero, the others their sums":
    {
      inputs: { w: rows([1, 2], [3, 4], [5, 6]) },
      constants: { isTrained: rows([0, 0], [1, 1], [1, 1]) },
      indices: { words: [0, 2, 0, 1, 0] },
      nodes: "constant name=isTrained; stop_gradient 0; where 1 0 2; take 3 axis=0 indices=words",
      probe: { right: { w: [0, 0, 1, 1, 1, 1] }, wrong: { w: [3, 3, 1, 1, 1, 1] } },
    },
  "sampled_on_the_last_pixel (2.5, D26): linear interpolation at the last pixel: the slope is that of the last two pixels, not that towards nothing":
    {
      inputs: { pixels: array([3, 6, 8]), place: array([2]) },
      constants: { start: array([1]) },
      indices: { left: [1], right: [2] },
      nodes: [
        "constant name=start; subtract 1 2; take 0 axis=0 indices=left",
        "take 0 axis=0 indices=right; subtract 5 4; multiply 3 6; add 4 7",
      ],
      probe: { right: { place: [2] }, wrong: { place: [-8] } },
    },
  "sampled_with_clamped_neighbours (2.5, D26): the same with both neighbours clamped to the last pixel: the slope is zero":
    {
      inputs: { pixels: array([3, 6, 8]), place: array([2]) },
      constants: { start: array([2]) },
      indices: { last: [2] },
      nodes: [
        "constant name=start; subtract 1 2; take 0 axis=0 indices=last",
        "take 0 axis=0 indices=last; subtract 5 4; multiply 3 6; add 4 7",
      ],
      probe: { right: { place: [0] }, wrong: { place: [-8] } },
    },
  "unequal_bins (2.5, D04): five elements into three overlapping bins of 2, 3 and 2: each bin has its own divisor":
    {
      ...question("constant name=bins; matmul 0 1; constant name=counts; divide 2 3 at x=[[1,2,4,8,16]]"),
      constants: {
        bins: rows([1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]),
        counts: array([[2, 3, 2]]),
      },
    },
  "joined_columns (2.5): parts of extents 2 and 1 side by side: the cotangent is cut at the right columns":
    "concat 0 1 axis=1 at x=[[1,2],[3,4]] y=[[5],[6]]",
  "reshaped_and_turned (2.5): rows laid out anew and then transposed: the order of elements is that of rows, both ways":
    "reshape 0 shape=[3,2]; permute_dims 1 axes=[1,0] at x=[[1,2,3],[4,5,6]]",
});
