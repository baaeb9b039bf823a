import { question, tensor } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

const matrix = { shape: [2, 3], elements: [1, 2, 4, 8, 5, 7] } as const;
const channels = { scale: [[2], [2, 3]], offset: [[2], [5, 7]] } as const;
const batch = [
  [3, 2],
  [1, 2, 4, 8, 5, 3],
] as const;
const generic = (size: number): number[] => Array.from({ length: size }, (_, i) => 1.5 + i * i);

/** Vectors of networks and linear algebra that expose a planted fault: one node, generic cotangents. */
export const strengthNetworks: readonly VectorText[] = vectors({
  "softmax_rows (2.5): the sum below has a derivative too": {
    inputs: { x: [matrix.shape, [1, 2, 3, 0, 1, 0.5]] },
    nodes: "softmax 0 axis=1",
    seeds: { 1: [[2, 3], generic(6)] },
  },
  "log_softmax_rows (2.5): what is subtracted has a derivative too": {
    inputs: { x: [matrix.shape, [1, 2, 3, 0, 1, 0.5]] },
    nodes: "log_softmax 0 axis=1",
    seeds: { 1: [[2, 3], generic(6)] },
  },
  "layer_norm_rows (2.5): mean and variance have derivatives": {
    inputs: { x: [matrix.shape, matrix.elements], scale: [[3], [2, 3, 5]], offset: [[3], [1, 4, 6]] },
    nodes: "layer_norm 0 1 2 axes=[1] epsilon=0.125",
    seeds: { 3: [[2, 3], generic(6)] },
  },
  "batch_norm_train_columns (2.5): the statistics of the batch have derivatives": {
    inputs: { x: batch, ...channels },
    nodes: "batch_norm_train 0 1 2 axis=1 epsilon=0.125",
    seeds: { 3: [[3, 2], generic(6)] },
  },
  "batch_norm_eval_columns (2.5): the statistics given count, not those of the batch": {
    inputs: { x: batch, ...channels, mean: [[2], [1, 2]], variance: [[2], [4, 9]] },
    nodes: "batch_norm_eval 0 1 2 3 4 axis=1 epsilon=0.125",
    seeds: { 5: [[3, 2], generic(6)] },
  },
  "group_norm_pairs (2.5): each group has a mean of its own": {
    inputs: { x: tensor([1, 4, 1], [1, 2, 40, 80]), scale: [[4], [2, 3, 5, 7]], offset: [[4], [1, 4, 6, 8]] },
    nodes: "group_norm 0 1 2 groups=2 epsilon=0.125",
    seeds: { 3: [[1, 4, 1], generic(4)] },
  },
  "max_pool_overlapping (2.5): an element that is the largest of two windows receives both cotangents": {
    ...question("max_pool 0 window=[2] strides=[1] padding=[[0,0]] at x=[[[1,9,2]]]"),
    seeds: { 1: [[1, 1, 2], generic(2)] },
  },
  "avg_pool_clipped (2.5): a clipped window is divided by what it holds, in reverse too": {
    inputs: { x: tensor([1, 1, 3], [1, 9, 2]) },
    nodes: "avg_pool 0 window=[2] strides=[2] padding=[[1,0]] count_include_pad=false",
    seeds: { 1: [[1, 1, 2], generic(2)] },
  },
  "dropout_masked (2.5): the mask and the factor of what is kept, in both directions": {
    ...question("dropout 0 key=key rate=0.5 at x=[1,2,3,4,5,6,7,8] where key=[1,2]"),
    seeds: { 1: [[8], generic(8)] },
  },
  "cross_entropy_of_two_rows (2.5): the mean over two rows": {
    inputs: { x: [matrix.shape, [1, 2, 3, 0, 1, 0.5]] },
    indices: { labels: [2, 0] },
    nodes: "cross_entropy 0 labels=labels",
  },
  "kl_div_of_an_absent_class (2.5): a target of zero contributes nothing": "kl_div 0 1 at x=[-1,-2] y=[0,1]",
  "mse_of_two (2.5): the derivative of a square has a factor of two": "mse 0 1 at x=[3,5] y=[1,2]",
  "conv_padded_left (2.5): an unsymmetric kernel, and padding on one side": {
    inputs: { x: tensor([1, 1, 3], [1, 2, 4]), w: tensor([1, 1, 2], [3, 5]) },
    nodes: "conv 0 1 strides=[1] padding=[[1,0]] dilations=[1] groups=1",
    seeds: { 2: [[1, 1, 3], generic(3)] },
  },
  "attention_of_two (2.5): scores are divided by the root of the inner extent": {
    inputs: {
      q: tensor([2, 2], [1, 0.5, 0, 1]),
      k: tensor([2, 2], [1, 2, 0.5, 0]),
      v: tensor([2, 2], [1, 2, 4, 8]),
    },
    nodes: "scaled_dot_product_attention 0 1 2 causal=false",
    seeds: { 3: [[2, 2], generic(4)] },
  },
  "solve_two (2.5): the matrix of a linear system has a cotangent too": {
    ...question("solve 0 1 at a=[[2,1],[0,4]] b=[[3],[8]]"),
    seeds: { 2: [[2, 1], generic(2)] },
  },
  "det_of_an_unsymmetric_matrix (2.5): the matrix of cofactors, not its transpose":
    "det 0 at a=[[2,1],[5,4]]",
});
