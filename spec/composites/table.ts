import { elu, gelu, leakyRelu, logaddexp, sigmoid, silu, softplus } from "./activations.ts";
import { flip, roll, split, stack, tile } from "./arrangements.ts";
import { multiHeadAttention, scaledDotProductAttention } from "./attention.ts";
import {
  greater,
  greaterEqual,
  lessEqual,
  logicalAnd,
  logicalNot,
  logicalOr,
  logicalXor,
  notEqual,
} from "./comparisons.ts";
import type { Composite } from "./composite.ts";
import { conv } from "./convolution.ts";
import { differentiate } from "./differentiate.ts";
import { einsum } from "./einsum.ts";
import {
  abs,
  ceil,
  clip,
  copysign,
  identity,
  minimum,
  reciprocal,
  remainder,
  round,
  sign,
  square,
} from "./elementwise.ts";
import { dropout, embedding } from "./embedding.ts";
import { cholesky, inv, triangularSolve } from "./factors.ts";
import { bceWithLogits, crossEntropy, huber, klDiv, mse, nll } from "./losses.ts";
import { diagonal, oneHot, trace, tril, triu } from "./matrices.ts";
import { batchNormEval, batchNormTrain, groupNorm, layerNorm } from "./normalization.ts";
import { argmax, sort, topK } from "./orders.ts";
import { avgPool, maxPool } from "./pooling.ts";
import { outer, vecdot } from "./products.ts";
import { elmanCell, gruCell, lstmCell } from "./recurrence.ts";
import { logsumexp, max, mean, min, norm, prod, variance } from "./reductions.ts";
import { cumulativeProd } from "./scans.ts";
import { logSoftmax, softmax } from "./softmax.ts";
import { transformerBlock } from "./transformer.ts";
import { convTranspose } from "./transposed_convolution.ts";

/** The composites and the type of each one's row. */
export interface CompositeTable {
  readonly abs: typeof abs;
  readonly sign: typeof sign;
  readonly square: typeof square;
  readonly reciprocal: typeof reciprocal;
  readonly ceil: typeof ceil;
  readonly round: typeof round;
  readonly identity: typeof identity;
  readonly minimum: typeof minimum;
  readonly clip: typeof clip;
  readonly remainder: typeof remainder;
  readonly copysign: typeof copysign;
  readonly not_equal: typeof notEqual;
  readonly less_equal: typeof lessEqual;
  readonly greater: typeof greater;
  readonly greater_equal: typeof greaterEqual;
  readonly logical_not: typeof logicalNot;
  readonly logical_and: typeof logicalAnd;
  readonly logical_or: typeof logicalOr;
  readonly logical_xor: typeof logicalXor;
  readonly sigmoid: typeof sigmoid;
  readonly softplus: typeof softplus;
  readonly logaddexp: typeof logaddexp;
  readonly silu: typeof silu;
  readonly leaky_relu: typeof leakyRelu;
  readonly elu: typeof elu;
  readonly gelu: typeof gelu;
  readonly conv: typeof conv;
  readonly conv_transpose: typeof convTranspose;
  readonly max_pool: typeof maxPool;
  readonly avg_pool: typeof avgPool;
  readonly softmax: typeof softmax;
  readonly log_softmax: typeof logSoftmax;
  readonly layer_norm: typeof layerNorm;
  readonly batch_norm_train: typeof batchNormTrain;
  readonly batch_norm_eval: typeof batchNormEval;
  readonly group_norm: typeof groupNorm;
  readonly embedding: typeof embedding;
  readonly dropout: typeof dropout;
  readonly scaled_dot_product_attention: typeof scaledDotProductAttention;
  readonly multi_head_attention: typeof multiHeadAttention;
  readonly elman_cell: typeof elmanCell;
  readonly lstm_cell: typeof lstmCell;
  readonly gru_cell: typeof gruCell;
  readonly transformer_block: typeof transformerBlock;
  readonly mse: typeof mse;
  readonly huber: typeof huber;
  readonly cross_entropy: typeof crossEntropy;
  readonly nll: typeof nll;
  readonly bce_with_logits: typeof bceWithLogits;
  readonly kl_div: typeof klDiv;
  readonly mean: typeof mean;
  readonly prod: typeof prod;
  readonly max: typeof max;
  readonly min: typeof min;
  readonly var: typeof variance;
  readonly logsumexp: typeof logsumexp;
  readonly norm: typeof norm;
  readonly cumulative_prod: typeof cumulativeProd;
  readonly argmax: typeof argmax;
  readonly stack: typeof stack;
  readonly split: typeof split;
  readonly flip: typeof flip;
  readonly roll: typeof roll;
  readonly tile: typeof tile;
  readonly one_hot: typeof oneHot;
  readonly diagonal: typeof diagonal;
  readonly tril: typeof tril;
  readonly triu: typeof triu;
  readonly sort: typeof sort;
  readonly top_k: typeof topK;
  readonly vecdot: typeof vecdot;
  readonly outer: typeof outer;
  readonly einsum: typeof einsum;
  readonly trace: typeof trace;
  readonly inv: typeof inv;
  readonly cholesky: typeof cholesky;
  readonly triangular_solve: typeof triangularSolve;
  readonly differentiate: typeof differentiate;
}

/** The name of a composite. */
export type CompositeName = keyof CompositeTable;

type AttributesIn<T> = T extends Composite<infer A> ? A : never;

/** Each composite's attributes. */
export type CompositeAttributes = { readonly [K in CompositeName]: AttributesIn<CompositeTable[K]> };

/** A row for every composite. */
export type CompositeRows = { readonly [K in CompositeName]: Composite<CompositeAttributes[K]> };

/** The composites. A new one is one row: its expansion gives it a meaning in every room. */
export const composites: CompositeRows = {
  abs,
  sign,
  square,
  reciprocal,
  ceil,
  round,
  identity,
  minimum,
  clip,
  remainder,
  copysign,
  not_equal: notEqual,
  less_equal: lessEqual,
  greater,
  greater_equal: greaterEqual,
  logical_not: logicalNot,
  logical_and: logicalAnd,
  logical_or: logicalOr,
  logical_xor: logicalXor,
  sigmoid,
  softplus,
  logaddexp,
  silu,
  leaky_relu: leakyRelu,
  elu,
  gelu,
  conv,
  conv_transpose: convTranspose,
  max_pool: maxPool,
  avg_pool: avgPool,
  softmax,
  log_softmax: logSoftmax,
  layer_norm: layerNorm,
  batch_norm_train: batchNormTrain,
  batch_norm_eval: batchNormEval,
  group_norm: groupNorm,
  embedding,
  dropout,
  scaled_dot_product_attention: scaledDotProductAttention,
  multi_head_attention: multiHeadAttention,
  elman_cell: elmanCell,
  lstm_cell: lstmCell,
  gru_cell: gruCell,
  transformer_block: transformerBlock,
  mse,
  huber,
  cross_entropy: crossEntropy,
  nll,
  bce_with_logits: bceWithLogits,
  kl_div: klDiv,
  mean,
  prod,
  max,
  min,
  var: variance,
  logsumexp,
  norm,
  cumulative_prod: cumulativeProd,
  argmax,
  stack,
  split,
  flip,
  roll,
  tile,
  one_hot: oneHot,
  diagonal,
  tril,
  triu,
  sort,
  top_k: topK,
  vecdot,
  outer,
  einsum,
  trace,
  inv,
  cholesky,
  triangular_solve: triangularSolve,
  differentiate,
};

/** Tells whether `name` is a composite's. */
export function isCompositeName(name: string): name is CompositeName {
  return Object.hasOwn(composites, name);
}

/** Every composite's name, in the table's order. */
export const compositeNames: readonly CompositeName[] = Object.keys(composites).filter(isCompositeName);
