import { type OperatorName, operators } from "../../spec/composites/index.ts";

type Ranks = readonly [least: number, most: number];

/** An operator's results have the ranks `gives`; some operand may have any of `reads`. */
interface RankRow {
  readonly reads: Ranks;
  readonly gives: Ranks;
}

const any: Ranks = [0, Number.POSITIVE_INFINITY];
const axes: Ranks = [1, Number.POSITIVE_INFINITY];
const matrices: Ranks = [2, Number.POSITIVE_INFINITY];
const scalar: Ranks = [0, 0];
const vector: Ranks = [1, 1];
const matrix: Ranks = [2, 2];
const vectorOrMatrix: Ranks = [1, 2];
const image: Ranks = [3, 5];

/** These operators restrict ranks. All others read any and give any. */
const rows: { readonly [K in OperatorName]?: RankRow } = {
  iota: { reads: any, gives: axes },
  concat: { reads: axes, gives: axes },
  take: { reads: axes, gives: axes },
  take_along_axis: { reads: axes, gives: axes },
  gather: { reads: axes, gives: any },
  // An update may be a single element.
  scatter_add: { reads: any, gives: axes },
  cumulative_sum: { reads: axes, gives: axes },
  matmul: { reads: matrices, gives: matrices },
  solve: { reads: matrices, gives: matrices },
  det: { reads: matrices, gives: any },
  conv: { reads: image, gives: image },
  conv_transpose: { reads: image, gives: image },
  max_pool: { reads: image, gives: image },
  avg_pool: { reads: image, gives: image },
  softmax: { reads: axes, gives: axes },
  log_softmax: { reads: axes, gives: axes },
  batch_norm_train: { reads: axes, gives: axes },
  batch_norm_eval: { reads: axes, gives: axes },
  // A scale is a vector, so an operand may have one axis.
  group_norm: { reads: axes, gives: matrices },
  embedding: { reads: matrix, gives: matrix },
  // A mask broadcasts, so it may have any rank.
  scaled_dot_product_attention: { reads: any, gives: matrices },
  multi_head_attention: { reads: matrices, gives: matrices },
  elman_cell: { reads: vectorOrMatrix, gives: matrix },
  lstm_cell: { reads: vectorOrMatrix, gives: matrix },
  gru_cell: { reads: vectorOrMatrix, gives: matrix },
  transformer_block: { reads: axes, gives: matrices },
  mse: { reads: any, gives: scalar },
  huber: { reads: any, gives: scalar },
  cross_entropy: { reads: matrix, gives: scalar },
  nll: { reads: matrix, gives: scalar },
  bce_with_logits: { reads: any, gives: scalar },
  kl_div: { reads: any, gives: scalar },
  cumulative_prod: { reads: axes, gives: axes },
  argmax: { reads: axes, gives: any },
  stack: { reads: any, gives: axes },
  split: { reads: axes, gives: axes },
  roll: { reads: axes, gives: axes },
  one_hot: { reads: any, gives: matrix },
  diagonal: { reads: matrices, gives: axes },
  tril: { reads: matrices, gives: matrices },
  triu: { reads: matrices, gives: matrices },
  sort: { reads: axes, gives: axes },
  top_k: { reads: axes, gives: axes },
  vecdot: { reads: axes, gives: any },
  outer: { reads: vector, gives: matrix },
  trace: { reads: matrices, gives: any },
  inv: { reads: matrices, gives: matrices },
  cholesky: { reads: matrices, gives: matrices },
  triangular_solve: { reads: matrices, gives: matrices },
};

/** Returns the ranks that some operand of the operator may have. */
export function readsOf(op: OperatorName): Ranks {
  return rows[op]?.reads ?? any;
}

/** Says whether a rank lies between two, both included. */
export function isWithin([least, most]: Ranks, rank: number): boolean {
  return rank >= least && rank <= most;
}

function hasOperands(op: OperatorName): boolean {
  return operators[op].arity !== 0;
}

/**
 * Tells whether `reader` can have a result of `read` for an operand. It cannot if it has no operands, or if
 * no rank of the one is a rank of the other: a loss is a scalar without an axis to sort along, and a pooled
 * image has three axes, so it is no table of embeddings. Otherwise it can: whoever takes the rank takes
 * extents of 1.
 */
export function isReadable(read: OperatorName, reader: OperatorName): boolean {
  const [least, most] = readsOf(reader);
  const [fewest, widest] = rows[read]?.gives ?? any;
  return hasOperands(reader) && fewest <= most && widest >= least;
}
