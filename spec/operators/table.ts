import type { Need } from "../shapes/index.ts";
import { type Arithmetic, arithmetic } from "./arithmetic.ts";
import { type Choices, choices } from "./choices.ts";
import { binaryFunctions, unaryFunctions } from "./elementary.ts";
import { type LinearAlgebra, linearAlgebra } from "./linear_algebra.ts";
import { type Lookups, lookups } from "./lookups.ts";
import { type Movement, movement } from "./movement.ts";
import type { Signature } from "./signature.ts";
import { type Sources, sources } from "./sources.ts";
import { type Sums, sums } from "./sums.ts";

type UnaryFunctions = typeof unaryFunctions;
type BinaryFunctions = typeof binaryFunctions;

/** The primitives and the type of each one's signature, family by family. */
export interface PrimitiveTable
  extends Sources,
    Arithmetic,
    UnaryFunctions,
    BinaryFunctions,
    Choices,
    Movement,
    Lookups,
    Sums,
    LinearAlgebra {}

/** The name of a primitive. */
export type PrimitiveName = keyof PrimitiveTable;

type NeedIn<T> = T extends Signature<infer N, infer _> ? N : never;
type AttributesIn<T> = T extends Signature<Need, infer A> ? A : never;

/** The algebra each primitive's rules need. */
export type NeedOf = { readonly [K in PrimitiveName]: NeedIn<PrimitiveTable[K]> };

/** Each primitive's attributes. */
export type PrimitiveAttributes = { readonly [K in PrimitiveName]: AttributesIn<PrimitiveTable[K]> };

/**
 * The primitives, in the order of documents, schemas and random draws: a place in it is part of what a seed
 * means, so a new one stands last. docs/adding-an-operator.md tells what else it needs.
 */
export const primitives: {
  readonly [K in PrimitiveName]: Signature<NeedOf[K], PrimitiveAttributes[K]>;
} = {
  constant: sources.constant,
  full: sources.full,
  iota: sources.iota,
  bernoulli_mask: sources.bernoulli_mask,
  stop_gradient: arithmetic.stop_gradient,
  negative: arithmetic.negative,
  exp: unaryFunctions.exp,
  log: unaryFunctions.log,
  sin: unaryFunctions.sin,
  cos: unaryFunctions.cos,
  tanh: unaryFunctions.tanh,
  sqrt: unaryFunctions.sqrt,
  relu: choices.relu,
  floor: choices.floor,
  expm1: unaryFunctions.expm1,
  log1p: unaryFunctions.log1p,
  log2: unaryFunctions.log2,
  tan: unaryFunctions.tan,
  asin: unaryFunctions.asin,
  acos: unaryFunctions.acos,
  atan: unaryFunctions.atan,
  sinh: unaryFunctions.sinh,
  cosh: unaryFunctions.cosh,
  asinh: unaryFunctions.asinh,
  acosh: unaryFunctions.acosh,
  atanh: unaryFunctions.atanh,
  erf: unaryFunctions.erf,
  add: arithmetic.add,
  subtract: arithmetic.subtract,
  multiply: arithmetic.multiply,
  divide: arithmetic.divide,
  maximum: choices.maximum,
  less: choices.less,
  equal: choices.equal,
  pow: binaryFunctions.pow,
  atan2: binaryFunctions.atan2,
  hypot: binaryFunctions.hypot,
  where: choices.where,
  sum: sums.sum,
  broadcast_to: movement.broadcast_to,
  reshape: movement.reshape,
  permute_dims: movement.permute_dims,
  concat: movement.concat,
  take: lookups.take,
  slice: movement.slice,
  pad: movement.pad,
  take_along_axis: lookups.take_along_axis,
  gather: lookups.gather,
  scatter_add: lookups.scatter_add,
  cumulative_sum: sums.cumulative_sum,
  matmul: sums.matmul,
  solve: linearAlgebra.solve,
  det: linearAlgebra.det,
};

const names: ReadonlySet<string> = new Set(Object.keys(primitives));

/** Tells whether `name` is a primitive's. */
export function isPrimitiveName(name: string): name is PrimitiveName {
  return names.has(name);
}

/** Every primitive's name, in the table's order. */
export const primitiveNames: readonly PrimitiveName[] = Object.keys(primitives).filter(isPrimitiveName);
