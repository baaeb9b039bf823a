/** Documents and messages write values so: exact numbers, tensors, points, reports. */
export {
  type Call,
  type CallChange,
  callChanges,
  callsByText,
  callText,
} from "./call.ts";
export type { CaseJson, PointJson, SeedJson } from "./case.ts";
export type { ConfigJson } from "./config.ts";
export { formatFloat64, parseFloat64 } from "./float.ts";
export { parseJson } from "./json.ts";
export type { KnownCrash, KnownDisagreement, KnownFailure, KnownJson } from "./known.ts";
export type { LeanVerdictJson } from "./lean_verdict.ts";
export type { LifetimeJson, LifetimesJson } from "./lifetimes.ts";
export {
  boundedPosit,
  checkPositFormat,
  isBounded,
  largestPosit,
  oneBitMore,
  type PositFormat,
  positFormatNamed,
  positName,
  positReach,
  standardPosit,
  type Taper,
  taperOf,
} from "./posit_format.ts";
export {
  binadeOf,
  type DataType,
  dataTypes,
  type FloatFormat,
  type FloatType,
  floatTypes,
  formats,
  type GridName,
  gridNames,
  isCoarse,
  isFloatType,
  isGridName,
  type PositType,
  positFormats,
  positTypes,
  type SavedFormat,
} from "./precision.ts";
export * from "./protocol.ts";
export {
  type DomainPartJson,
  type FunctionMode,
  type FunctionVerdictJson,
  functionModes,
  type QuestionJson,
  type Special,
} from "./question.ts";
export type {
  Invocation,
  ProfileShare,
  ReportEntry,
  ReportHistogram,
  ReportJson,
  ReportLaw,
  ReportSection,
  Shard,
} from "./report.ts";
export { sha256 } from "./sha256.ts";
export {
  decodeTensor,
  type ExactTensorJson,
  encodeTensor,
  type FlatTensor,
  plainTensor,
  type TensorJson,
} from "./tensor.ts";
export type { TorchLeanAttributes, TorchLeanJson, TorchLeanNode } from "./torchlean.ts";
export type { TraceJson } from "./trace.ts";
export type { MeasureJson, UnitsJson } from "./units.ts";
export type { ComponentSet, ComponentsAt, Expected, MemberSet, VectorFlag, VectorJson } from "./vector.ts";
export type { LawName, VerdictJson, WitnessJson } from "./verdict.ts";
