import type { OperatorName } from "../../../spec/composites/index.ts";

/**
 * The operands of each operator that has not just one: a number, `"some"` for one or more, or the least and
 * the most. It repeats the table of operators, for the compiler.
 */
export const arities = {
  constant: 0,
  full: 0,
  iota: 0,
  bernoulli_mask: 0,
  add: 2,
  subtract: 2,
  multiply: 2,
  divide: 2,
  maximum: 2,
  less: 2,
  equal: 2,
  pow: 2,
  atan2: 2,
  hypot: 2,
  where: 3,
  concat: "some",
  scatter_add: 2,
  matmul: 2,
  solve: 2,
  minimum: 2,
  clip: 3,
  remainder: 2,
  copysign: 2,
  not_equal: 2,
  less_equal: 2,
  greater: 2,
  greater_equal: 2,
  logical_and: 2,
  logical_or: 2,
  logical_xor: 2,
  logaddexp: 2,
  conv: 2,
  conv_transpose: 2,
  layer_norm: 3,
  batch_norm_train: 3,
  batch_norm_eval: 5,
  group_norm: 3,
  scaled_dot_product_attention: [3, 4],
  multi_head_attention: 6,
  elman_cell: 5,
  lstm_cell: 6,
  gru_cell: 6,
  transformer_block: 13,
  mse: 2,
  huber: 2,
  bce_with_logits: 2,
  kl_div: 2,
  stack: "some",
  one_hot: 0,
  vecdot: 2,
  outer: 2,
  einsum: "some",
  differentiate: "some",
  triangular_solve: 2,
} as const;

type Arities = typeof arities;

/** The operands of an operator: one tensor per parent, in order. */
export type OperandsOf<T, K extends OperatorName> = K extends keyof Arities
  ? Operands<T, Arities[K]>
  : readonly [T];

type Operands<T, A> = A extends "some"
  ? readonly [T, ...T[]]
  : A extends readonly [3, 4]
    ? readonly [T, T, T, T?]
    : A extends number
      ? Counted<T>[A & keyof Counted<T>]
      : never;

interface Counted<T> {
  readonly 0: readonly [];
  readonly 2: readonly [T, T];
  readonly 3: readonly [T, T, T];
  readonly 5: readonly [T, T, T, T, T];
  readonly 6: readonly [T, T, T, T, T, T];
}
