import { elu, gelu, leakyRelu, logaddexp, sigmoid, silu, softplus } from "./activations.ts";
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
};

/** Whether `name` is a composite's. */
export function isCompositeName(name: string): name is CompositeName {
  return Object.hasOwn(composites, name);
}

/** Every composite's name, in the table's order. */
export const compositeNames: readonly CompositeName[] = Object.keys(composites).filter(isCompositeName);
