/**
 * The door of those who compute with graphs and read no documents: the language without its schemas and wire forms. What stands here
 * loads no library.
 */
export * from "./algebra.ts";
export * from "./at.ts";
export { GraphError } from "./builder/construction.ts";
export * from "./builder/graph.ts";
export type * from "./builder/value.ts";
export type * from "./composites/composite.ts";
export * from "./composites/expand.ts";
export * from "./composites/table.ts";
export * from "./graph.ts";
export * from "./index_limits.ts";
export type { BernoulliMaskAttributes } from "./operators/bernoulli_mask.ts";
export type { BroadcastToAttributes } from "./operators/broadcast_to.ts";
export type { ConcatAttributes } from "./operators/concat.ts";
export type { ConstantAttributes } from "./operators/constant.ts";
export type { CumulativeSumAttributes } from "./operators/cumulative_sum.ts";
export type { FullAttributes } from "./operators/full.ts";
export type { GatherAttributes } from "./operators/gather.ts";
export * from "./operators/index.ts";
export type { IotaAttributes } from "./operators/iota.ts";
export type { PadAttributes } from "./operators/pad.ts";
export type { PermuteDimsAttributes } from "./operators/permute_dims.ts";
export type { ReshapeAttributes } from "./operators/reshape.ts";
export type { ScatterAddAttributes } from "./operators/scatter_add.ts";
export type * from "./operators/signature.ts";
export { acceptsCount, formatArity } from "./operators/signature.ts";
export type { SliceAttributes } from "./operators/slice.ts";
export { sliceAxis } from "./operators/slice.ts";
export type { SumAttributes } from "./operators/sum.ts";
export * from "./operators/table.ts";
export type { TakeAttributes } from "./operators/take.ts";
export type { TakeAlongAxisAttributes } from "./operators/take_along_axis.ts";
export type * from "./point.ts";
export * from "./result.ts";
export * from "./shape.ts";
export * from "./suggest.ts";
export type { FlatTensor } from "./wire/tensor.ts";
