import type { Graph } from "../../../../spec/graph/index.ts";
import { forUnary } from "../../../../spec/operators/index.ts";
import { concat, cumulativeSum, pad } from "./joints.ts";
import { det, solve } from "./linear_algebra.ts";
import type { LoweredGraph, LoweringTable, WholeName } from "./lowering.ts";
import { broadcastTo, gather, permuteDims, reshape, slice, take, takeAlongAxis } from "./moves.ts";
import { pointwise } from "./pointwise.ts";
import { scatterAdd } from "./scatter.ts";
import { bernoulliMask, constant, full, iota } from "./sources.ts";
import { matmul, sum } from "./sums.ts";
import { conv } from "./whole/conv.ts";
import { max, min } from "./whole/extremes.ts";

/** The lowering of every primitive, and of the composites that stay whole. */
export const lowerings: LoweringTable = {
  constant,
  full,
  iota,
  bernoulli_mask: bernoulliMask,
  stop_gradient: pointwise("stop_gradient"),
  negative: pointwise("negative"),
  ...forUnary(pointwise),
  relu: pointwise("relu"),
  floor: pointwise("floor"),
  add: pointwise("add"),
  subtract: pointwise("subtract"),
  multiply: pointwise("multiply"),
  divide: pointwise("divide"),
  maximum: pointwise("maximum"),
  less: pointwise("less"),
  equal: pointwise("equal"),
  pow: pointwise("pow"),
  atan2: pointwise("atan2"),
  hypot: pointwise("hypot"),
  where: pointwise("where"),
  sum,
  broadcast_to: broadcastTo,
  reshape,
  permute_dims: permuteDims,
  concat,
  take,
  slice,
  pad,
  take_along_axis: takeAlongAxis,
  gather,
  scatter_add: scatterAdd,
  cumulative_sum: cumulativeSum,
  matmul,
  solve,
  det,
  max,
  min,
  conv,
};

/** The composites that the engines compute by a formula of their own. */
export const wholeNames: readonly WholeName[] = ["max", "min", "conv"];

/** Says whether a graph has no composites but those. */
export function isLoweredGraph(graph: Graph): graph is LoweredGraph {
  return graph.nodes.every(({ op }) => Object.hasOwn(lowerings, op));
}
