import { elu, gelu, leakyRelu, logaddexp, sigmoid, silu, softplus } from "./activations.ts";
import { flip, roll, split, stack, tile } from "./arrangements.ts";
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
import { diagonal, oneHot, trace, tril, triu } from "./matrices.ts";
import { argmax, sort, topK } from "./orders.ts";
import { outer, vecdot } from "./products.ts";
import { logsumexp, max, mean, min, norm, prod, variance } from "./reductions.ts";
import { cumulativeProd } from "./scans.ts";

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
};

/** Whether `name` is a composite's. */
export function isCompositeName(name: string): name is CompositeName {
  return Object.hasOwn(composites, name);
}

/** Every composite's name, in the table's order. */
export const compositeNames: readonly CompositeName[] = Object.keys(composites).filter(isCompositeName);
