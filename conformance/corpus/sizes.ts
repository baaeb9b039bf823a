import { type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { type NodeText, nodesFrom, type TensorText } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

/** Fills a shape with multiples of ½ of either sign, no two neighbours alike; `seed` shifts them. */
function filled(shape: Shape, seed: number): TensorText {
  const elements = Array.from({ length: sizeOf(shape) }, (_, i) => ((7 * i + 3 * seed) % 19) / 2 - 4.25);
  return [shape, elements];
}

/** Fills a cotangent with odd multiples of ¼, none of them 1. */
function cotangent(shape: Shape): TensorText {
  return [shape, Array.from({ length: sizeOf(shape) }, (_, i) => (2 * i + 3) / 4)];
}

/** Asks one node, whose operands are inputs of these shapes, with a cotangent for each element. */
function alone(
  node: string,
  result: Shape,
  ...operands: readonly Shape[]
): Pick<VectorText, "inputs" | "nodes" | "seeds"> {
  const inputs = Object.fromEntries(operands.map((shape, i) => [["x", "y", "z"][i], filled(shape, i)]));
  return { inputs, nodes: node, seeds: { [operands.length]: cotangent(result) } };
}

const four: Shape = [2, 1, 3, 2];
const five: Shape = [2, 1, 2, 3, 2];
const six: Shape = [2, 1, 2, 1, 3, 2];

/** Vectors of axes beyond three, which catch an engine that handles only the first or the last few. */
const ranks: readonly VectorText[] = vectors({
  "permuted_rank_4 (2.5): four axes in a cycle": alone("permute_dims 0 axes=[2,0,3,1]", [3, 2, 2, 1], four),
  "permuted_rank_6 (2.5): six axes, neither turned round nor shifted": alone(
    "permute_dims 0 axes=[4,1,5,0,3,2]",
    [3, 1, 2, 2, 1, 2],
    six,
  ),
  "summed_rank_5 (2.5): the first, the middle and the last axis of five": alone(
    "sum 0 axes=[0,2,4] keepdims=false",
    [1, 3],
    five,
  ),
  "mean_kept_rank_6 (2.5): the first and the third of six axes, which stay as 1; a quarter of four numbers":
    alone("mean 0 axes=[0,2] keepdims=true", [1, 1, 1, 1, 3, 2], six),
  "broadcast_rank_6 (2.5): axes of 1 among six are repeated, and two are new": alone(
    "broadcast_to 0 shape=[2,2,3,2,2,2]",
    [2, 2, 3, 2, 2, 2],
    [3, 1, 2, 1],
  ),
  "added_rank_5 (2.5): one shape, five axes": alone("add 0 1", five, five, five),
  "concatenated_rank_4 (2.5): along the third of four axes, unequal parts": alone(
    "concat 0 1 axis=2",
    [2, 1, 5, 2],
    four,
    [2, 1, 2, 2],
  ),
  "sliced_rank_5 (2.5): backwards along the fourth of five axes": alone(
    "slice 0 starts=[1,0,0,2,0] stops=[2,1,2,-4,2] steps=[1,1,1,-1,1]",
    [1, 1, 2, 3, 2],
    five,
  ),
  "padded_rank_4 (2.5): before, behind and between, on four axes": alone(
    "pad 0 low=[0,1,0,1] high=[1,0,0,0] interior=[0,0,1,0]",
    [3, 2, 5, 3],
    four,
  ),
  "cumulative_rank_4 (2.5): sums that run along the second of four axes": alone(
    "cumulative_sum 0 axis=1",
    [2, 3, 2, 2],
    [2, 3, 2, 2],
  ),
  "taken_rank_5 (2.5): along the fourth of five axes, one entry twice": {
    indices: { which: [2, 0, 2] },
    ...alone("take 0 axis=3 indices=which", [2, 1, 2, 3, 2], five),
  },
  "product_of_two_batch_axes (2.5): matrices in a grid of two batch axes": alone(
    "matmul 0 1",
    [2, 3, 2, 1],
    [2, 3, 2, 2],
    [2, 3, 2, 1],
  ),
  "softmax_rank_4 (2.5): along the second of four axes": alone(
    "softmax 0 axis=1",
    [2, 3, 1, 2],
    [2, 3, 1, 2],
  ),
  "flipped_rank_5 (2.5): two axes of five turned round": alone(
    "flip 0 axes=[1,3]",
    [2, 2, 1, 3, 1],
    [2, 2, 1, 3, 1],
  ),
});

/** Vectors of windows over two and three axes of unlike extents, which catch height and width swapped. */
const windows: readonly VectorText[] = vectors({
  "conv_plane (2.5): a kernel of 2 by 3, strides and padding unlike": alone(
    "conv 0 1 dilations=[1,1] groups=1 strides=[2,1] padding=[[1,0],[0,1]]",
    [1, 2, 2, 3],
    [1, 2, 3, 4],
    [2, 2, 2, 3],
  ),
  "conv_plane_dilated_groups (2.5): two groups, gaps between what the kernel sees along the width": alone(
    "conv 0 1 strides=[1,1] padding=[[0,0],[0,0]] dilations=[1,2] groups=2",
    [1, 2, 1, 2],
    [1, 2, 2, 4],
    [2, 1, 2, 2],
  ),
  "conv_space (2.5): three spatial axes": alone(
    "conv 0 1 strides=[1,2,1] padding=[[0,0],[0,0],[1,0]] dilations=[1,1,1] groups=1",
    [1, 1, 1, 2, 2],
    [1, 1, 2, 3, 2],
    [1, 1, 2, 1, 2],
  ),
  "conv_transpose_plane (2.5): the adjoint over two axes, strides unlike": alone(
    "conv_transpose 0 1 dilations=[1,1] groups=1 strides=[2,1] padding=[[0,1],[0,0]] output_padding=[1,0]",
    [1, 2, 4, 4],
    [1, 1, 2, 2],
    [1, 2, 2, 3],
  ),
  "max_pool_plane (2.5): windows of 2 by 3 that overlap along the height": alone(
    "max_pool 0 window=[2,3] strides=[1,2] padding=[[0,0],[0,1]]",
    [1, 1, 2, 2],
    [1, 1, 3, 4],
  ),
  "max_pool_space (2.5): three spatial axes": alone(
    "max_pool 0 window=[2,1,2] strides=[1,1,1] padding=[[0,0],[0,0],[0,0]]",
    [1, 1, 1, 2, 2],
    [1, 1, 2, 2, 3],
  ),
  "avg_pool_plane (2.5): padding on one side, which is not counted": alone(
    "avg_pool 0 window=[2,2] strides=[1,2] padding=[[0,1],[1,0]] count_include_pad=false",
    [1, 1, 2, 2],
    [1, 1, 2, 3],
  ),
});

/**
 * Makes a long value from a short input: `x [17]` repeated 59 times, times each element's place. No vector
 * register or block length divides its 1,003 = 17 · 59 elements.
 */
const laidOut =
  "broadcast_to 0 shape=[59,17]; reshape 1 shape=[1003]; iota shape=[1003] axis=0; multiply 2 3";

/** Applies nodes, with ids from 5 on, to the long value at id 4. */
function long(nodes: string): Pick<VectorText, "inputs" | "nodes" | "seeds"> {
  const seeds = { [4 + nodesFrom(nodes).length]: cotangent([]) };
  return { inputs: { x: filled([17], 2) }, nodes: [laidOut, nodes], seeds };
}

/** Vectors of long axes, which leave a remainder to whatever works in blocks. */
const lengths: readonly VectorText[] = vectors({
  "long_sum (2.5): the sum of 1,003 numbers, and its cotangent laid out again": long(
    "sum 4 axes=[0] keepdims=false",
  ),
  "long_relu (2.5): a mask of 1,003": long("relu 4; sum 5 axes=[0] keepdims=false"),
  "long_square (2.5): a product of 1,003 by itself": long("multiply 4 4; sum 5 axes=[0] keepdims=false"),
  "long_maximum (2.5): the larger of 1,003 and their places": long(
    "maximum 4 3; sum 5 axes=[0] keepdims=false",
  ),
  "long_where (2.5): a choice for each of 1,003": long("where 4 2 3; sum 5 axes=[0] keepdims=false"),
  "long_cumulative (2.5): sums that run over 1,003": long(
    "cumulative_sum 4 axis=0; multiply 5 2; sum 6 axes=[0] keepdims=false",
  ),
  "long_slice (2.5): every third of 1,003, backwards": long(
    "slice 4 starts=[1002] stops=[-1004] steps=[-3]; multiply 5 5; sum 6 axes=[0] keepdims=false",
  ),
  "long_product (2.5): a row times a column of 1,003": long(
    "reshape 4 shape=[1,1003]; reshape 2 shape=[1003,1]; matmul 5 6; reshape 7 shape=[]",
  ),
});

const letters = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];

/** Vectors of many operands, many inputs and many nodes in a row. */
const crowds: readonly VectorText[] = vectors({
  "concat_of_seven (2.5): seven operands, two of them one input, one of them empty": {
    inputs: Object.fromEntries(
      letters.slice(0, 6).map((name, i) => [name, filled([i % 3, 2], i + 1)] as const),
    ),
    nodes: "concat 0 1 2 3 4 5 2 axis=0",
    seeds: { 6: cotangent([8, 2]) },
  },
  "twelve_inputs (3.4): a product of neighbours among twelve inputs: each has a cotangent of its own": {
    inputs: Object.fromEntries(letters.map((name, i) => [name, [[], [i + 1.5]]] as const)),
    nodes: [
      ...letters.slice(1).map((_, i): NodeText => ["multiply", [i, i + 1]]),
      ...letters.slice(2).map((_, i): NodeText => ["add", [i === 0 ? 12 : 22 + i, 13 + i]]),
    ],
  },
  "three_hundred_nodes (3.4): a chain deeper than 256: x is added once and once subtracted, in turn, and each third time added":
    {
      inputs: { x: [[], [1.5]] },
      nodes: Array.from({ length: 300 }, (_, i): NodeText => [i % 3 === 1 ? "subtract" : "add", [i, 0]]),
    },
});

/** Vectors of the sizes users have: up to six axes, 2-D and 3-D windows, long axes, many operands, depth. */
export const sizes: readonly VectorText[] = [...ranks, ...windows, ...lengths, ...crowds];
