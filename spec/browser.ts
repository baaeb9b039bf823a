/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The door of those who compute with graphs and read no documents: the language without its schemas and wire
 * forms. What stands here loads no library.
 */
export * from "./algebra.ts";
export * from "./at.ts";
export * from "./budget.ts";
export * from "./builder/graph.ts";
export * from "./builder/graph_error.ts";
export type * from "./builder/value.ts";
export type * from "./composites/composite.ts";
export { differentiateDensely } from "./composites/differentiate.ts";
export * from "./composites/expand.ts";
export * from "./composites/table.ts";
export { type Derivative, type Derived, derivePrimitives } from "./derivatives/derive.ts";
export * from "./derivatives/higher.ts";
export * from "./derivatives/index.ts";
export type { Linearized } from "./derivatives/linearize.ts";
export * from "./derivatives/needs.ts";
export type { Applied, DerivativeRule, DerivativesOf, Pull } from "./derivatives/rule.ts";
export { derivatives } from "./derivatives/table.ts";
export * from "./graph.ts";
export * from "./index_limits.ts";
export type * from "./operators/arithmetic.ts";
export type * from "./operators/choices.ts";
export * from "./operators/elementary.ts";
export * from "./operators/index.ts";
export type * from "./operators/linear_algebra.ts";
export type * from "./operators/lookups.ts";
export type * from "./operators/movement.ts";
export { sliceAxis } from "./operators/movement.ts";
export type * from "./operators/signature.ts";
export { acceptsCount, formatArity } from "./operators/signature.ts";
export type * from "./operators/sources.ts";
export type * from "./operators/sums.ts";
export * from "./operators/table.ts";
export type * from "./point.ts";
export { isPrimitiveGraph, isPrimitiveNode } from "./primitives.ts";
export * from "./programs/build.ts";
export * from "./programs/expand.ts";
export * from "./programs/program.ts";
export { Scope as NameScope } from "./programs/scope.ts";
export * from "./programs/view.ts";
export * from "./result.ts";
export * from "./shape.ts";
export * from "./suggest.ts";
export * from "./text.ts";
export type { FlatTensor } from "./wire/tensor.ts";
