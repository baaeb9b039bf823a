/** The tables of operators: signatures, attributes, and the elementary functions. */
export type { Arithmetic } from "./arithmetic.ts";
export type { Choices } from "./choices.ts";
export {
  type BinaryName,
  binaryFunctions,
  binaryNames,
  CORRECTLY_ROUNDED,
  type Elementary,
  elementary,
  forBinary,
  forUnary,
  MARGIN,
  type Scaled,
  type UnaryName,
  unaryFunctions,
  unaryNames,
} from "./elementary.ts";
export type { LinearAlgebra } from "./linear_algebra.ts";
export type {
  GatherAttributes,
  Lookups,
  ScatterAddAttributes,
  TakeAlongAxisAttributes,
  TakeAttributes,
} from "./lookups.ts";
export {
  type BroadcastToAttributes,
  type ConcatAttributes,
  type Movement,
  type PadAttributes,
  type PermuteDimsAttributes,
  type ReshapeAttributes,
  type SliceAttributes,
  sliceAxis,
} from "./movement.ts";
export { acceptsCount, type EnvironmentEntry, formatArity, type NoAttributes } from "./signature.ts";
export type {
  BernoulliMaskAttributes,
  ConstantAttributes,
  FullAttributes,
  IotaAttributes,
  Sources,
} from "./sources.ts";
export type { CumulativeSumAttributes, SumAttributes, Sums } from "./sums.ts";
export {
  isPrimitiveName,
  type NeedOf,
  type PrimitiveAttributes,
  type PrimitiveName,
  primitiveNames,
  primitives,
} from "./table.ts";
