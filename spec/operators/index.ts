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
export {
  type Arity,
  type AttributeSchema,
  acceptsCount,
  arityRange,
  arrayApi,
  axesSchema,
  axisSchema,
  countsSchema,
  type EnvironmentEntry,
  elementwiseShape,
  existingAxis,
  formatArity,
  type IndexUse,
  indexEntryShape,
  type NoAttributes,
  nameSchema,
  type Operator,
  onnx,
  shapeSchema,
} from "./signature.ts";
export type {
  BernoulliMaskAttributes,
  ConstantAttributes,
  FullAttributes,
  IotaAttributes,
  Sources,
} from "./sources.ts";
export { type CumulativeSumAttributes, type SumAttributes, type Sums, sums } from "./sums.ts";
export {
  isPrimitiveName,
  type NeedOf,
  type PrimitiveAttributes,
  type PrimitiveName,
  primitiveNames,
  primitives,
} from "./table.ts";
export {
  accurateSlopes,
  hasAccurateSlope,
  hasSlopeFromValue,
  type Sloped,
  slopesFromValue,
} from "./tails.ts";
